-- The trace in which a class ended: what settles it later points back to it.
ALTER TABLE room_meters ADD COLUMN trace text;
