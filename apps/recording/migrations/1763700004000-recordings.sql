-- status: REQUESTED (the engine has not answered yet) → STARTING → ACTIVE → ENDING → COMPLETED, FAILED or ABORTED.
-- REFUSED: no recorder took it; nobody is told of it, and what starts of it all the same is stopped.
CREATE TABLE recordings (
  recording_key    uuid        PRIMARY KEY,
  organization_id  text        NOT NULL,
  sid              text        NOT NULL,
  room_id          text        NOT NULL,
  title            text        NOT NULL,
  -- The public id: the engine's first, which it keeps when a second attempt gets another.
  egress_id        text        UNIQUE,
  -- The engine's id of each attempt; the last one is the present.
  engine_ids       text[]      NOT NULL,
  options          json        NOT NULL,
  logo_url         text,
  status           text        NOT NULL CHECK (status IN
                     ('REQUESTED', 'REFUSED', 'STARTING', 'ACTIVE', 'ENDING', 'COMPLETED', 'FAILED', 'ABORTED')),
  version          bigint      NOT NULL DEFAULT 0,
  requested_at     timestamptz NOT NULL,
  -- When the present attempt began.
  attempted_at     timestamptz NOT NULL,
  -- The instant the engine called it active.
  active_at        timestamptz,
  ended_at         timestamptz,
  reason           text,
  object_key       text,
  file_name        text,
  -- Bytes, and seconds of the file itself.
  size             bigint,
  duration         integer,
  completed_at     timestamptz,
  class_ended_at   timestamptz,
  -- The watchdog's next look; null where nothing is to be expected any more.
  look_at          timestamptz,
  -- Since when the engine says that it has no such egress.
  missing_since    timestamptz,
  finalize_at      timestamptz,
  finalize_tries   integer     NOT NULL DEFAULT 0,
  delete_at        timestamptz,
  deleted_at       timestamptz
);
-- One at a time; one that is ending no longer blocks.
CREATE UNIQUE INDEX recordings_one_at_a_time ON recordings (sid) WHERE status IN ('REQUESTED', 'STARTING', 'ACTIVE');
CREATE INDEX recordings_of_room ON recordings (sid, requested_at);
CREATE INDEX recordings_by_engine_id ON recordings USING gin (engine_ids);
CREATE INDEX recordings_look ON recordings (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX recordings_finalize ON recordings (finalize_at) WHERE finalize_at IS NOT NULL;
CREATE INDEX recordings_delete ON recordings (delete_at) WHERE delete_at IS NOT NULL;

-- What is known of rooms without asking: only what the recording's own deadlines need.
CREATE TABLE rooms (
  sid              text        PRIMARY KEY,
  -- Unknown as long as only its tracks were heard of.
  organization_id  text,
  room_id          text,
  auto_record      boolean     NOT NULL DEFAULT false,
  ended_at         timestamptz,
  -- Since when somebody publishes, and wants the automatic recording therefore: null again once it began or the class ended.
  publishing_at    timestamptz,
  auto_wanted_at   timestamptz,
  auto_recorded_at timestamptz
);
CREATE INDEX rooms_auto_wanted ON rooms (auto_wanted_at) WHERE auto_wanted_at IS NOT NULL;
