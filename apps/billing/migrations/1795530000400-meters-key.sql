-- The key that remains when one Postgres is divided by organization. The last release needs the one of sid alone (ON CONFLICT).
CREATE UNIQUE INDEX CONCURRENTLY room_meters_key ON room_meters (organization_id, sid);
