CREATE INDEX CONCURRENTLY rooms_retry ON rooms (retry_at) WHERE retry_at IS NOT NULL;
