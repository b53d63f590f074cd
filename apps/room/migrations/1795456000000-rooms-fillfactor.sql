-- Space on each page for the next version of a row: an update that changes no indexed column then writes no index (HOT). Each webhook, list and
-- action of a participant updates its room.
ALTER TABLE rooms SET (fillfactor = 70);
