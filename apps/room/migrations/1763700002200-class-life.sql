-- What a class shares beside picture and sound: class_version rises with every change of it, under the room's lock, and
-- each part keeps the version at which it changed last. It begins at 1: who knows nothing asks for what came after 0.
ALTER TABLE rooms
  ADD COLUMN class_version      bigint NOT NULL DEFAULT 1,
  ADD COLUMN hands_version      bigint NOT NULL DEFAULT 0,
  ADD COLUMN speakers_version   bigint NOT NULL DEFAULT 0,
  ADD COLUMN chat_version       bigint NOT NULL DEFAULT 0,
  ADD COLUMN polls_version      bigint NOT NULL DEFAULT 0,
  ADD COLUMN reactions_version  bigint NOT NULL DEFAULT 0,
  ADD COLUMN removals_version   bigint NOT NULL DEFAULT 0,
  ADD COLUMN details_version    bigint NOT NULL DEFAULT 0,
  ADD COLUMN recording_version  bigint NOT NULL DEFAULT 0;

ALTER TABLE participants
  ADD COLUMN hand_raised_at  timestamptz,
  -- A student who may use the microphone for now, and who allowed it.
  ADD COLUMN speaks_since    timestamptz,
  ADD COLUMN allowed_by      text,
  -- The class version of the latest removal.
  ADD COLUMN removed_version bigint;
CREATE INDEX participants_hands ON participants (sid, hand_raised_at) WHERE hand_raised_at IS NOT NULL;
CREATE INDEX participants_speakers ON participants (sid) WHERE speaks_since IS NOT NULL;
CREATE INDEX participants_removals ON participants (sid, removed_version) WHERE removed_version IS NOT NULL;

CREATE TABLE chat_messages (
  sid      text        NOT NULL REFERENCES rooms ON DELETE CASCADE,
  version  bigint      NOT NULL,
  id       uuid        NOT NULL,
  uid      text        NOT NULL,
  name     text        NOT NULL,
  role     text        NOT NULL,
  text     text        NOT NULL,
  sent_at  timestamptz NOT NULL,
  PRIMARY KEY (sid, version)
);
-- A message sent again changes nothing.
CREATE UNIQUE INDEX chat_messages_once ON chat_messages (sid, id);
CREATE INDEX chat_messages_by_sender ON chat_messages (sid, uid, sent_at);

CREATE TABLE reactions (
  sid      text        NOT NULL REFERENCES rooms ON DELETE CASCADE,
  version  bigint      NOT NULL,
  id       uuid        NOT NULL,
  uid      text        NOT NULL,
  name     text        NOT NULL,
  emoji    text        NOT NULL,
  sent_at  timestamptz NOT NULL,
  PRIMARY KEY (sid, version)
);
CREATE INDEX reactions_by_age ON reactions (sent_at);

CREATE TABLE polls (
  poll_id    uuid        PRIMARY KEY,
  sid        text        NOT NULL REFERENCES rooms ON DELETE CASCADE,
  version    bigint      NOT NULL,
  question   text        NOT NULL,
  options    text[]      NOT NULL,
  created_by text        NOT NULL,
  creator    text        NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at  timestamptz
);
CREATE INDEX polls_of_room ON polls (sid, created_at);

CREATE TABLE poll_votes (
  poll_id  uuid        NOT NULL REFERENCES polls ON DELETE CASCADE,
  uid      text        NOT NULL,
  name     text        NOT NULL,
  option   integer     NOT NULL,
  voted_at timestamptz NOT NULL,
  -- One vote each: the index decides a race.
  PRIMARY KEY (poll_id, uid)
);

-- A copy of the recording service's rows, as far as a class shows them.
CREATE TABLE room_recordings (
  egress_id  text        PRIMARY KEY,
  sid        text        NOT NULL REFERENCES rooms ON DELETE CASCADE,
  status     text        NOT NULL,
  version    bigint      NOT NULL,
  started_at timestamptz NOT NULL
);
CREATE INDEX room_recordings_of_room ON room_recordings (sid, started_at);
