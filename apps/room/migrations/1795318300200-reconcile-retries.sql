-- Set while LiveKit gives no answer for the room: when it is asked again. Until then reconcile_at does not count.
ALTER TABLE rooms ADD COLUMN retry_at timestamptz;
