CREATE INDEX CONCURRENTLY recordings_kept ON recordings (status) WHERE deleted_at IS NULL;
