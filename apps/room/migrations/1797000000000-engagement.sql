-- How often someone took part in a way that leaves no row.
ALTER TABLE participants
  ADD COLUMN hands_raised   integer NOT NULL DEFAULT 0,
  ADD COLUMN reactions_sent integer NOT NULL DEFAULT 0;

-- What the page of a participant measured in a minute of a connection.
CREATE TABLE participant_minutes (
  sid              text        NOT NULL,
  uid              text        NOT NULL,
  connection_sid   text        NOT NULL,
  -- When it began, to the half minute.
  minute           timestamptz NOT NULL,
  measured_ms      integer     NOT NULL,
  talk_ms          integer     NOT NULL,
  camera_ms        integer     NOT NULL,
  reconnections    integer     NOT NULL,
  -- From pressing "Join" to being connected. Null except in the first minute of a stay.
  join_ms          integer,
  bytes_received   bigint      NOT NULL,
  bytes_sent       bigint      NOT NULL,
  packets_received integer     NOT NULL,
  packets_lost     integer     NOT NULL,
  packets_sent     integer     NOT NULL,
  sent_lost        integer     NOT NULL,
  round_trip_ms    integer,
  -- Mean time that media waited to be played evenly.
  buffer_ms        integer,
  freezes          integer     NOT NULL,
  frozen_ms        integer     NOT NULL,
  -- A minute that is reported again changes nothing.
  PRIMARY KEY (sid, uid, connection_sid, minute),
  FOREIGN KEY (sid, uid) REFERENCES participants ON UPDATE CASCADE ON DELETE CASCADE
);
COMMENT ON TABLE participant_minutes IS 'belongs to rooms by sid';
