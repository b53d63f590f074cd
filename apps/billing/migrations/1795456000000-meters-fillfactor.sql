-- Space on each page for the next version of a row: an update that changes no indexed column then writes no index (HOT). Each connection updates
-- its room's meter.
ALTER TABLE room_meters SET (fillfactor = 70);
