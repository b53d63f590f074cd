CREATE INDEX CONCURRENTLY class_summaries_exported ON class_summaries (organization_id, sid);
