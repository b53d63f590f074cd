CREATE INDEX CONCURRENTLY videos_stored ON videos (organization_id) INCLUDE (status, attempt, size, output_bytes, caption_bytes) WHERE deleted_at IS NULL;
