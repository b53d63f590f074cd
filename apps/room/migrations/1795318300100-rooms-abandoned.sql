-- The few creations that LiveKit refused, among all rooms that ever were.
CREATE INDEX CONCURRENTLY rooms_abandoned ON rooms (created_at) WHERE state = 'abandoned';
