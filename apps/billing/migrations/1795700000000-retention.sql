-- Settled meters of an organization in the order in which they were settled, for the end of their sessions' retention.
CREATE INDEX CONCURRENTLY room_meters_expiring ON room_meters (organization_id, settled_at, sid) WHERE settled_at IS NOT NULL;
