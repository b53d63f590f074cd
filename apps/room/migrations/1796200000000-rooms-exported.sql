CREATE INDEX CONCURRENTLY rooms_exported ON rooms (organization_id, sid);
