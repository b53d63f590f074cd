-- When each live room is compared with LiveKit. These times change with every comparison and are indexed: in the wide row of the room, each change
-- wrote all of its indexes. A process of the last release continues to use the columns of rooms.
CREATE TABLE live_rooms (
  sid          text        PRIMARY KEY REFERENCES rooms ON DELETE CASCADE,
  -- When the room is compared next.
  reconcile_at timestamptz NOT NULL,
  -- While LiveKit gives no answer for the room: when to ask again. Until then reconcile_at does not count.
  retry_at     timestamptz
) WITH (fillfactor = 70);
CREATE INDEX live_rooms_due ON live_rooms (reconcile_at);
CREATE INDEX live_rooms_retry ON live_rooms (retry_at) WHERE retry_at IS NOT NULL;
INSERT INTO live_rooms (sid, reconcile_at) SELECT sid, reconcile_at FROM rooms WHERE reconcile_at IS NOT NULL;
