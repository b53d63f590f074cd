CREATE INDEX CONCURRENTLY recordings_exported ON recordings (organization_id, recording_key);
