-- Rooms that should be heard of every few seconds and have not been: their end may have been lost on the way.
CREATE INDEX room_meters_unheard ON room_meters (verified_at) WHERE finished_at IS NULL AND verified_at IS NOT NULL;
