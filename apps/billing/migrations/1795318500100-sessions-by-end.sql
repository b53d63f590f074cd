-- Open sessions of a room, and those that ended after a cycle did.
CREATE INDEX CONCURRENTLY sessions_by_end ON sessions (sid, left_at);
