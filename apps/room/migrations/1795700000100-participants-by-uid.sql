-- The classes of a person, for an erasure.
CREATE INDEX CONCURRENTLY participants_by_uid ON participants (uid);
