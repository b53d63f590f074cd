-- The trace of the request that asked for it: what is done hours later points back to it.
ALTER TABLE recordings ADD COLUMN trace text;
