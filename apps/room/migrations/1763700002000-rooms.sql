-- state: creating → created → live → finished; abandoned is a creation that LiveKit refused, whose roomId is free again.
-- media: open = LiveKit shall have the room; closing = LiveKit shall lose it; closed = it has (parked, ended, abandoned).
CREATE TABLE rooms (
  sid               text        PRIMARY KEY,
  organization_id   text        NOT NULL,
  room_id           text        NOT NULL,
  title             text        NOT NULL,
  description       text,
  -- json, not jsonb: kept as it came, and jsonb refuses escapes that JSON allows.
  metadata          json,
  customization     json        NOT NULL,
  max_participants  integer     NOT NULL,
  empty_timeout     integer     NOT NULL,
  auto_record       boolean     NOT NULL,
  state             text        NOT NULL CHECK (state IN ('creating', 'created', 'live', 'finished', 'abandoned')),
  media             text        NOT NULL CHECK (media IN ('open', 'closing', 'closed')),
  -- Rises with every change of a connection, under this row's lock.
  version           bigint      NOT NULL DEFAULT 0,
  participant_count integer     NOT NULL DEFAULT 0,
  has_teacher       boolean     NOT NULL DEFAULT false,
  is_recording      boolean     NOT NULL DEFAULT false,
  created_at        timestamptz NOT NULL,
  started_at        timestamptz,
  ended_at          timestamptz,
  end_reason        text,
  last_left_at      timestamptz,
  -- Everyone open was seen in LiveKit's list at this instant of LiveKit's clock.
  verified_at       timestamptz,
  -- The next reconciler pass; null where none is wanted.
  reconcile_at      timestamptz,
  -- When the room ends by itself unless somebody comes.
  due_at            timestamptz,
  -- Expiry of the latest join token: after it, a room that nobody joined may be parked.
  tokens_expire_at  timestamptz,
  idempotency_key   text,
  idempotency_hash  text
);
CREATE UNIQUE INDEX rooms_room_id_once ON rooms (organization_id, room_id) WHERE state <> 'abandoned';
CREATE UNIQUE INDEX rooms_idempotency_once ON rooms (organization_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND state <> 'abandoned';
CREATE INDEX rooms_media ON rooms (sid) INCLUDE (media) WHERE media <> 'closed';
CREATE INDEX rooms_reconcile ON rooms (reconcile_at) WHERE reconcile_at IS NOT NULL;
CREATE INDEX rooms_due ON rooms (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX rooms_unused ON rooms (tokens_expire_at) WHERE state = 'created' AND media = 'open';
CREATE INDEX rooms_creating ON rooms (created_at) WHERE state = 'creating';
CREATE INDEX rooms_live ON rooms (organization_id) WHERE state = 'live';

-- Everyone a token was made for, with the latest name and role.
CREATE TABLE participants (
  sid               text        NOT NULL REFERENCES rooms ON DELETE CASCADE,
  uid               text        NOT NULL,
  name              text        NOT NULL,
  role              text        NOT NULL,
  photo_url         text,
  -- Which session of the page is the present one: an older one's classroom token is worth nothing.
  session_number    integer     NOT NULL DEFAULT 0,
  session_opened_at timestamptz,
  -- Tokens signed up to this instant are worth nothing: the participant was removed.
  removed_at        timestamptz,
  PRIMARY KEY (sid, uid)
);

-- One row an interval, keyed by LiveKit's participant sid; whole seconds of LiveKit's clock.
CREATE TABLE connections (
  connection_sid text        PRIMARY KEY,
  sid            text        NOT NULL REFERENCES rooms ON DELETE CASCADE,
  uid            text        NOT NULL,
  name           text        NOT NULL,
  role           text        NOT NULL,
  ip             text,
  joined_at      timestamptz NOT NULL,
  left_at        timestamptz,
  opened_by      text        NOT NULL,
  closed_by      text,
  -- A webhook's word: no list reopens it.
  is_final       boolean     NOT NULL DEFAULT false,
  -- False where the connection never became active: kept so that a late join can't open it, never told to anybody.
  is_counted     boolean     NOT NULL DEFAULT true,
  -- Set while the interval is missing from LiveKit's list: the last instant it was seen.
  missing_since  timestamptz,
  version        bigint      NOT NULL,
  CHECK (left_at >= joined_at)
);
CREATE INDEX connections_open ON connections (sid) WHERE left_at IS NULL;
CREATE INDEX connections_by_participant ON connections (sid, uid);

-- Which process does a thing that one process at a time should do.
CREATE TABLE leases (
  name       text        PRIMARY KEY,
  holder     text        NOT NULL,
  expires_at timestamptz NOT NULL
);
