-- An organization's rooms, newest first.
CREATE INDEX CONCURRENTLY rooms_listed ON rooms (organization_id, created_at DESC, sid DESC) WHERE state NOT IN ('creating', 'abandoned');
