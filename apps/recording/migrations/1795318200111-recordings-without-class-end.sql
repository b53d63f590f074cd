CREATE INDEX CONCURRENTLY recordings_without_class_end ON recordings (sid) WHERE class_ended_at IS NULL;
