-- `room_meters_not_over` took its place.
DROP INDEX room_meters_unheard;
