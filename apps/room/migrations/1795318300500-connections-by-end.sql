-- When the last person left a room that has had many.
CREATE INDEX CONCURRENTLY connections_by_end ON connections (sid, left_at) WHERE is_counted;
