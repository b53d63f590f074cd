-- How far the ends that the room service has written are known here, whatever facts came of them.
CREATE TABLE finished_rooms (
  is_only boolean     PRIMARY KEY DEFAULT true CHECK (is_only),
  through timestamptz NOT NULL
);
