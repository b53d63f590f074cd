-- Also the meter of a class of which no list of connections ever arrived.
CREATE INDEX CONCURRENTLY room_meters_not_over ON room_meters (coalesce(verified_at, timestamptz 'epoch'), sid) WHERE finished_at IS NULL
