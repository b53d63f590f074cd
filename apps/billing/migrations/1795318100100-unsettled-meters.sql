CREATE INDEX CONCURRENTLY room_meters_unsettled_by_organization ON room_meters (organization_id, started_at, sid) WHERE settled_at IS NULL;
