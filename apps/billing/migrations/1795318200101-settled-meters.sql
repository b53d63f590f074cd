CREATE INDEX CONCURRENTLY room_meters_settled ON room_meters (settled_at, sid) WHERE settled_at IS NOT NULL;
