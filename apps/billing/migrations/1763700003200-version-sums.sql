-- Agreement is decided by what was folded, not by what it happens to add up to: equal sums of versions over equally many
-- sessions mean that every session is at the version the room meant.
ALTER TABLE room_meters ADD COLUMN final_version_sum bigint;
ALTER TABLE room_meters DROP COLUMN final_seconds;
