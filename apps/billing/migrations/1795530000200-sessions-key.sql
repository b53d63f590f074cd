CREATE UNIQUE INDEX CONCURRENTLY sessions_key ON sessions (connection_sid, organization_id, month);
