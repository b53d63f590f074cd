CREATE INDEX CONCURRENTLY room_contexts_exported ON room_contexts (organization_id, sid);
