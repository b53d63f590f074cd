-- Which process does a thing that one process at a time should do.
CREATE TABLE leases (
  name       text PRIMARY KEY,
  holder     text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE presets (
  organization_id text NOT NULL,
  name            text NOT NULL,
  customization   json NOT NULL,
  settings        json NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name)
);

-- state: creating → created → live → finished; abandoned is a creation that LiveKit refused, whose roomId is free again. media: open = LiveKit shall
-- have the room; closing = LiveKit shall lose it; closed = it has (unused, ended, abandoned).
CREATE TABLE rooms (
  sid               text PRIMARY KEY,
  organization_id   text NOT NULL,
  room_id           text NOT NULL,
  title             text NOT NULL,
  description       text,
  -- json, not jsonb: kept as it came, and jsonb refuses escapes that JSON allows.
  metadata          json,
  customization     json NOT NULL,
  state             text NOT NULL,
  media             text NOT NULL,
  -- Rises with every change of a connection, under this row's lock.
  version           bigint NOT NULL DEFAULT 0,
  participant_count integer NOT NULL DEFAULT 0,
  has_teacher       boolean NOT NULL DEFAULT false,
  is_recording      boolean NOT NULL DEFAULT false,
  created_at        timestamptz NOT NULL,
  started_at        timestamptz,
  ended_at          timestamptz,
  end_reason        text,
  last_left_at      timestamptz,
  -- Everyone open was seen in LiveKit's list at this instant of LiveKit's clock.
  verified_at       timestamptz,
  -- When the room ends by itself unless somebody comes.
  due_at            timestamptz,
  -- Expiry of the latest join token: after it, an unused room leaves LiveKit.
  tokens_expire_at  timestamptz,
  idempotency_key   text,
  idempotency_hash  text,
  class_version     bigint NOT NULL DEFAULT 1,
  hands_version     bigint NOT NULL DEFAULT 0,
  speakers_version  bigint NOT NULL DEFAULT 0,
  chat_version      bigint NOT NULL DEFAULT 0,
  polls_version     bigint NOT NULL DEFAULT 0,
  reactions_version bigint NOT NULL DEFAULT 0,
  removals_version  bigint NOT NULL DEFAULT 0,
  details_version   bigint NOT NULL DEFAULT 0,
  recording_version bigint NOT NULL DEFAULT 0,
  -- When the end was written, by our own clock: ended_at may be earlier by as long as the sweep was late.
  finished_at       timestamptz,
  -- From when emptyTimeout counts where that is later than the last leave: until then the platform was unreachable. By LiveKit's clock.
  empty_since       timestamptz,
  doors_closed      boolean NOT NULL DEFAULT false,
  schedule_due_at   timestamptz,
  end_noticed       timestamptz,
  waiting_version   bigint NOT NULL DEFAULT 0,
  -- How often the budget was changed.
  budget_version    integer NOT NULL DEFAULT 0,
  -- Everything that can be set for a room, as the contract's RoomSettings: a setting that is missing has its default.
  settings          json NOT NULL DEFAULT '{}',
  CHECK (media IN ('open', 'closing', 'closed')),
  CHECK (state IN ('creating', 'created', 'live', 'finished', 'abandoned'))
) WITH (fillfactor = 70);
-- The few creations that LiveKit refused, among all rooms that ever were.
CREATE INDEX rooms_abandoned ON rooms (created_at) WHERE state = 'abandoned';
CREATE INDEX rooms_creating ON rooms (created_at) WHERE state = 'creating';
CREATE INDEX rooms_due ON rooms (due_at) WHERE due_at IS NOT NULL;
-- Finished classes of an organization in the order of their ends, for the end of their data's retention.
CREATE INDEX rooms_expiring ON rooms (organization_id, coalesce(finished_at, ended_at), sid) WHERE state = 'finished';
CREATE INDEX rooms_exported ON rooms (organization_id, sid);
-- Ends in the order they were written; those of before the column, or of a process that does not know it, by their own time.
CREATE INDEX rooms_finished ON rooms (coalesce(finished_at, ended_at), sid) WHERE state = 'finished';
CREATE UNIQUE INDEX rooms_idempotency_once ON rooms (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL AND state <> 'abandoned';
-- An organization's rooms, newest first.
CREATE INDEX rooms_listed ON rooms (organization_id, created_at DESC, sid DESC) WHERE state NOT IN ('creating', 'abandoned');
CREATE INDEX rooms_live ON rooms (organization_id) WHERE state = 'live';
CREATE INDEX rooms_media ON rooms (sid) INCLUDE (media) WHERE media <> 'closed';
CREATE UNIQUE INDEX rooms_room_id_once ON rooms (organization_id, room_id) WHERE state <> 'abandoned';
CREATE INDEX rooms_schedule_due ON rooms (schedule_due_at) WHERE schedule_due_at IS NOT NULL;
-- The few of an organization's rooms that are not over, among all that are.
CREATE INDEX rooms_unfinished ON rooms (organization_id, state, created_at DESC, sid DESC) WHERE state IN ('created', 'live');
CREATE INDEX rooms_unused ON rooms (tokens_expire_at) WHERE state = 'created' AND media = 'open';

-- One interval, keyed by LiveKit's participant sid, in whole seconds of LiveKit's clock. By the month (UTC) in which its room was created, so that all
-- connections of a room are in one partition.
CREATE TABLE connections_by_month (
  connection_sid text NOT NULL,
  sid            text NOT NULL,
  uid            text NOT NULL,
  name           text NOT NULL,
  role           text NOT NULL,
  ip             text,
  joined_at      timestamptz NOT NULL,
  left_at        timestamptz,
  opened_by      text NOT NULL,
  closed_by      text,
  -- A webhook said so: no list reopens it.
  is_final       boolean NOT NULL DEFAULT false,
  -- False if the connection never became active: it is kept so that a late join cannot open it.
  is_counted     boolean NOT NULL DEFAULT true,
  -- The interval is missing from LiveKit's list since then: the last instant at which it was seen.
  missing_since  timestamptz,
  version        bigint NOT NULL,
  month          date NOT NULL,
  CHECK (left_at >= joined_at)
) PARTITION BY LIST (month);
CREATE INDEX connections_by_month_end ON connections_by_month (sid, left_at) WHERE is_counted;
CREATE UNIQUE INDEX connections_by_month_key ON connections_by_month (connection_sid, month);
CREATE INDEX connections_by_month_open ON connections_by_month (sid) WHERE left_at IS NULL;
CREATE INDEX connections_by_month_participant ON connections_by_month (sid, uid);
COMMENT ON TABLE connections_by_month IS 'belongs to rooms by sid';

-- The partition of a connection: the month (UTC) of its room's creation, as its first day, which never changes. What is older than the installation
-- is in the first one.
DO $$ BEGIN
  EXECUTE format($f$
    CREATE FUNCTION connection_month(created_at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN created_at < %L::timestamptz THEN DATE '1970-01-01' ELSE date_trunc('month', created_at AT TIME ZONE 'UTC')::date END $f$,
    date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
END $$;
CREATE TABLE connections_before PARTITION OF connections_by_month FOR VALUES IN ('1970-01-01');

-- The service calls it before the first room of a month. It runs as the owner of the tables, because the service's role may create none.
CREATE FUNCTION add_connections_month(wanted date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
DECLARE
  partition text := 'connections_' || to_char(wanted, 'YYYY_MM');
BEGIN
  IF wanted <> connection_month(wanted::timestamp AT TIME ZONE 'UTC') OR wanted = DATE '1970-01-01' THEN RETURN; END IF;
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  -- Of two processes, the second one finds the partition. Reading and writing connections continues.
  LOCK TABLE connections_by_month IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE connections_by_month INCLUDING ALL)', partition);
  EXECUTE format('ALTER TABLE connections_by_month ATTACH PARTITION %I FOR VALUES IN (%L)', partition, wanted);
END $$;

CREATE TABLE chat_messages (
  sid             text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  version         bigint NOT NULL,
  id              uuid NOT NULL,
  uid             text NOT NULL,
  name            text NOT NULL,
  role            text NOT NULL,
  text            text NOT NULL,
  sent_at         timestamptz NOT NULL,
  is_private      boolean NOT NULL DEFAULT false,
  deleted_at      timestamptz,
  deleted_by      text,
  changed_version bigint,
  PRIMARY KEY (sid, version)
);
CREATE INDEX chat_messages_by_sender ON chat_messages (sid, uid, sent_at);
CREATE INDEX chat_messages_changed ON chat_messages (sid, changed_version) WHERE changed_version IS NOT NULL;
-- A message sent again changes nothing.
CREATE UNIQUE INDEX chat_messages_once ON chat_messages (sid, id);
COMMENT ON TABLE chat_messages IS 'belongs to rooms by sid';

CREATE TABLE chat_reports (
  sid         text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  -- The message's.
  version     bigint NOT NULL,
  uid         text NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (sid, version, uid)
);
CREATE INDEX chat_reports_by_reporter ON chat_reports (sid, uid, reported_at);
COMMENT ON TABLE chat_reports IS 'belongs to rooms by sid';

-- When each live room is compared with LiveKit. These times change with every comparison and are indexed: in the wide row of the room, each change
-- wrote all of its indexes.
CREATE TABLE live_rooms (
  sid          text PRIMARY KEY REFERENCES rooms ON DELETE CASCADE,
  -- When the room is compared next.
  reconcile_at timestamptz NOT NULL,
  -- While LiveKit gives no answer for the room: when to ask again. Until then reconcile_at does not count.
  retry_at     timestamptz
) WITH (fillfactor = 70);
CREATE INDEX live_rooms_due ON live_rooms (reconcile_at);
CREATE INDEX live_rooms_retry ON live_rooms (retry_at) WHERE retry_at IS NOT NULL;
COMMENT ON TABLE live_rooms IS 'reached through rooms by sid';

-- Everyone a token was made for, with the latest name and role.
CREATE TABLE participants (
  sid               text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  uid               text NOT NULL,
  name              text NOT NULL,
  role              text NOT NULL,
  photo_url         text,
  -- Which session of the page is the present one: an older one's classroom token is worth nothing.
  session_number    integer NOT NULL DEFAULT 0,
  session_opened_at timestamptz,
  -- Tokens signed up to this instant are worth nothing: the participant was removed.
  removed_at        timestamptz,
  hand_raised_at    timestamptz,
  speaks_since      timestamptz,
  allowed_by        text,
  removed_version   bigint,
  -- When the organization's backend gave somebody another role than the token that they may be here by.
  role_changed_at   timestamptz,
  may_use_ai        boolean NOT NULL DEFAULT true,
  consent_version   text,
  consent_granted   boolean,
  admission         text,
  waits_since       timestamptz,
  waiting_seen_at   timestamptz,
  -- What differs for this participant, by the latest token: {"chat": false}. Null: nothing.
  permissions       json,
  -- What the class page leaves out for this participant, by the latest token. Null: nothing.
  ui                json,
  hands_raised      integer NOT NULL DEFAULT 0,
  reactions_sent    integer NOT NULL DEFAULT 0,
  PRIMARY KEY (sid, uid)
);
-- The classes of a person, for an erasure.
CREATE INDEX participants_by_uid ON participants (uid);
-- The few whose role no token tells.
CREATE INDEX participants_changed_roles ON participants (sid) WHERE role_changed_at IS NOT NULL;
CREATE INDEX participants_hands ON participants (sid, hand_raised_at) WHERE hand_raised_at IS NOT NULL;
-- The few whose rights do not follow from their role.
CREATE INDEX participants_own_permissions ON participants (sid) WHERE permissions IS NOT NULL;
CREATE INDEX participants_removals ON participants (sid, removed_version) WHERE removed_version IS NOT NULL;
CREATE INDEX participants_speakers ON participants (sid) WHERE speaks_since IS NOT NULL;
CREATE INDEX participants_waiting ON participants (sid, waits_since) WHERE admission = 'WAITING';
COMMENT ON TABLE participants IS 'reached through rooms by sid';

CREATE TABLE consents (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id text NOT NULL,
  sid             text NOT NULL,
  uid             text NOT NULL,
  purpose         text NOT NULL,
  version         text NOT NULL,
  -- SHA-256, in hexadecimal, of the text that was shown.
  text_hash       text NOT NULL,
  granted         boolean NOT NULL,
  answered_at     timestamptz NOT NULL,
  FOREIGN KEY (sid, uid) REFERENCES participants ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX consents_of_class ON consents (sid, id);
CREATE INDEX consents_of_person ON consents (sid, uid);
COMMENT ON TABLE consents IS 'append-only: what a participant answered';

-- What the page of a participant measured in a minute of a connection.
CREATE TABLE participant_minutes (
  sid              text NOT NULL,
  uid              text NOT NULL,
  connection_sid   text NOT NULL,
  -- When it began, to the half minute.
  minute           timestamptz NOT NULL,
  measured_ms      integer NOT NULL,
  talk_ms          integer NOT NULL,
  camera_ms        integer NOT NULL,
  reconnections    integer NOT NULL,
  -- From pressing "Join" to being connected. Null except in the first minute of a stay.
  join_ms          integer,
  bytes_received   bigint NOT NULL,
  bytes_sent       bigint NOT NULL,
  packets_received integer NOT NULL,
  packets_lost     integer NOT NULL,
  packets_sent     integer NOT NULL,
  sent_lost        integer NOT NULL,
  round_trip_ms    integer,
  -- Mean time that media waited to be played evenly.
  buffer_ms        integer,
  freezes          integer NOT NULL,
  frozen_ms        integer NOT NULL,
  PRIMARY KEY (sid, uid, connection_sid, minute),
  FOREIGN KEY (sid, uid) REFERENCES participants ON UPDATE CASCADE ON DELETE CASCADE
);
COMMENT ON TABLE participant_minutes IS 'belongs to rooms by sid';

CREATE TABLE polls (
  poll_id        uuid PRIMARY KEY,
  sid            text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  version        bigint NOT NULL,
  question       text NOT NULL,
  options        text[] NOT NULL,
  created_by     text NOT NULL,
  creator        text NOT NULL,
  created_at     timestamptz NOT NULL,
  closed_at      timestamptz,
  hide_result    boolean NOT NULL DEFAULT false,
  correct_option integer
);
CREATE INDEX polls_of_room ON polls (sid, created_at);
COMMENT ON TABLE polls IS 'belongs to rooms by sid';

CREATE TABLE poll_votes (
  poll_id  uuid NOT NULL REFERENCES polls ON DELETE CASCADE,
  uid      text NOT NULL,
  name     text NOT NULL,
  option   integer NOT NULL,
  voted_at timestamptz NOT NULL,
  PRIMARY KEY (poll_id, uid)
);
COMMENT ON TABLE poll_votes IS 'belongs to polls by poll_id';

CREATE TABLE reactions (
  sid     text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  version bigint NOT NULL,
  id      uuid NOT NULL,
  uid     text NOT NULL,
  name    text NOT NULL,
  emoji   text NOT NULL,
  sent_at timestamptz NOT NULL,
  PRIMARY KEY (sid, version)
);
CREATE INDEX reactions_by_age ON reactions (sent_at);
COMMENT ON TABLE reactions IS 'belongs to rooms by sid';

-- A copy of the recording service's rows, as far as a class shows them.
CREATE TABLE room_recordings (
  egress_id  text PRIMARY KEY,
  sid        text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  status     text NOT NULL,
  version    bigint NOT NULL,
  started_at timestamptz NOT NULL,
  is_paused  boolean NOT NULL DEFAULT false
);
CREATE INDEX room_recordings_of_room ON room_recordings (sid, started_at);
COMMENT ON TABLE room_recordings IS 'belongs to rooms by sid';

-- Who is expected in a class.
CREATE TABLE roster_entries (
  organization_id text NOT NULL,
  sid             text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  uid             text NOT NULL,
  name            text,
  PRIMARY KEY (sid, uid)
);
-- The classes of a person, for an erasure.
CREATE INDEX roster_entries_by_uid ON roster_entries (uid);

-- From which address a participant opened or renewed a session, from `since` until the next row: a connection made by a media token has the address
-- that held when the token was signed.
CREATE TABLE session_addresses (
  sid     text NOT NULL,
  uid     text NOT NULL,
  since   timestamptz NOT NULL,
  -- Null where the gateway could not say.
  address text,
  PRIMARY KEY (sid, uid, since),
  FOREIGN KEY (sid, uid) REFERENCES participants ON DELETE CASCADE
);
COMMENT ON TABLE session_addresses IS 'belongs to rooms by sid';

-- What billing last said of an organization that was below zero: a copy that may say yes, and is asked about before a no.
CREATE TABLE credit_status (
  organization_id text PRIMARY KEY,
  version         bigint NOT NULL,
  is_overconsumed boolean NOT NULL,
  -- The same table in every schema that keeps a copy of billing's word: one statement serves all.
  is_exhausted    boolean NOT NULL DEFAULT false
);
