CREATE INDEX CONCURRENTLY recordings_completed ON recordings (organization_id, completed_at) WHERE status = 'COMPLETED' AND deleted_at IS NULL;
