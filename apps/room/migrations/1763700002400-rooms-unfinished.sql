-- The few of an organization's rooms that are not over, among all that are.
CREATE INDEX CONCURRENTLY rooms_unfinished ON rooms (organization_id, state, created_at DESC, sid DESC) WHERE state IN ('created', 'live');
