-- The trace of the request that brought the last byte: the transcoding points back to it.
ALTER TABLE videos ADD COLUMN trace text;
