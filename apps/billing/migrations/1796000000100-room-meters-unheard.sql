-- Also the meter of a class without any list of connections. `room_meters_unheard` serves 0.2.0 until the next release.
CREATE INDEX CONCURRENTLY room_meters_not_over ON room_meters (coalesce(verified_at, timestamptz 'epoch'), sid) WHERE finished_at IS NULL
