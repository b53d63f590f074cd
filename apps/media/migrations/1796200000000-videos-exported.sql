CREATE INDEX CONCURRENTLY videos_exported ON videos (organization_id, video_id) WHERE deleted_at IS NULL;
