-- The bucket of an organization's own to which its recordings are copied. The key's secret is sealed with RECORDING_KEY_SECRET.
CREATE TABLE recording_buckets (
  organization_id  text PRIMARY KEY,
  endpoint         text NOT NULL,
  region           text NOT NULL,
  bucket           text NOT NULL,
  prefix           text NOT NULL,
  access_key_id    text NOT NULL,
  sealed_secret    text NOT NULL,
  force_path_style boolean NOT NULL,
  -- Increases each time the bucket is set: what an attempt found out belongs to the setting that it used.
  version          integer NOT NULL,
  -- When it was first set: recordings that were completed before are not copied.
  created_at       timestamptz NOT NULL,
  set_at           timestamptz NOT NULL,
  failing_since    timestamptz,
  error            text,
  last_copied_at   timestamptz
);

-- status: PENDING (an attempt follows) → COPIED or FAILED (given up).
CREATE TABLE recording_copies (
  recording_key   uuid PRIMARY KEY,
  organization_id text NOT NULL,
  status          text NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  error           text,
  requested_at    timestamptz NOT NULL,
  -- Null unless PENDING.
  next_attempt_at timestamptz,
  -- Until when a worker has the copy. It extends this with each part.
  running_until   timestamptz,
  -- The upload in parts of the present attempt, so that the next one can free what a killed worker left.
  upload_key      text,
  upload_id       text,
  object_key      text,
  copied_at       timestamptz,
  CHECK ((next_attempt_at IS NOT NULL) = (status = 'PENDING')),
  CHECK (status IN ('PENDING', 'COPIED', 'FAILED'))
);
CREATE INDEX recording_copies_due ON recording_copies (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX recording_copies_failed ON recording_copies (organization_id) WHERE status = 'FAILED';
CREATE INDEX recording_copies_pending ON recording_copies (organization_id, next_attempt_at) WHERE status = 'PENDING';

-- status: REQUESTED (the engine has not answered yet) → STARTING → ACTIVE → ENDING → COMPLETED, FAILED or ABORTED. REFUSED: no recorder took it;
-- nobody is told of it, and what starts of it all the same is stopped.
CREATE TABLE recordings (
  recording_key   uuid PRIMARY KEY,
  organization_id text NOT NULL,
  sid             text NOT NULL,
  room_id         text NOT NULL,
  title           text NOT NULL,
  -- The public id: the engine's first, which it keeps when a second attempt gets another.
  egress_id       text UNIQUE,
  -- The engine's id of each attempt; the last one is the present.
  engine_ids      text[] NOT NULL,
  options         json NOT NULL,
  logo_url        text,
  status          text NOT NULL,
  version         bigint NOT NULL DEFAULT 0,
  requested_at    timestamptz NOT NULL,
  -- When the present attempt began.
  attempted_at    timestamptz NOT NULL,
  -- The instant the engine called it active.
  active_at       timestamptz,
  ended_at        timestamptz,
  reason          text,
  object_key      text,
  file_name       text,
  -- Bytes, and seconds of the file itself.
  size            bigint,
  duration        integer,
  completed_at    timestamptz,
  class_ended_at  timestamptz,
  -- The watchdog's next look; null where nothing is to be expected any more.
  look_at         timestamptz,
  -- Since when the engine says that it has no such egress.
  missing_since   timestamptz,
  finalize_at     timestamptz,
  finalize_tries  integer NOT NULL DEFAULT 0,
  delete_at       timestamptz,
  deleted_at      timestamptz,
  -- The trace of the request that asked for it: what is done hours later points back to it.
  trace           text,
  -- Since when the organization has kept the files of a recording for a legal reason; null if it does not.
  held_at         timestamptz,
  -- Whether the recording ended because it had reached the engine's longest length.
  limit_reached   boolean NOT NULL DEFAULT false,
  -- When the recording was paused, and the public ids of the recordings that a merged one is made of.
  paused_at       timestamptz,
  merged_from     text[] NOT NULL DEFAULT '{}',
  CHECK (status IN ('REQUESTED', 'REFUSED', 'STARTING', 'ACTIVE', 'ENDING', 'COMPLETED', 'FAILED', 'ABORTED'))
);
CREATE INDEX recordings_by_engine_id ON recordings USING gin (engine_ids);
CREATE INDEX recordings_completed ON recordings (organization_id, completed_at) WHERE status = 'COMPLETED' AND deleted_at IS NULL;
CREATE INDEX recordings_delete ON recordings (delete_at) WHERE delete_at IS NOT NULL;
CREATE INDEX recordings_exported ON recordings (organization_id, recording_key);
CREATE INDEX recordings_finalize ON recordings (finalize_at) WHERE finalize_at IS NOT NULL;
CREATE INDEX recordings_kept ON recordings (status) WHERE deleted_at IS NULL;
CREATE INDEX recordings_look ON recordings (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX recordings_of_room ON recordings (sid, requested_at);
-- One at a time; one that is ending no longer blocks.
CREATE UNIQUE INDEX recordings_one_at_a_time ON recordings (sid) WHERE status IN ('REQUESTED', 'STARTING', 'ACTIVE');
CREATE INDEX recordings_without_class_end ON recordings (sid) WHERE class_ended_at IS NULL;

-- The hours of organizations that keep their recordings longer than the installation does.
CREATE TABLE retention_hours (
  organization_id text PRIMARY KEY,
  hours           integer NOT NULL,
  CHECK (hours > 0)
);

-- What is known of rooms without asking: only what the recording's own deadlines need.
CREATE TABLE rooms (
  sid                text PRIMARY KEY,
  -- Unknown as long as only its tracks were heard of.
  organization_id    text,
  room_id            text,
  auto_record        boolean NOT NULL DEFAULT false,
  ended_at           timestamptz,
  -- Since when somebody publishes, and wants the automatic recording therefore: null again once it began or the class ended.
  publishing_at      timestamptz,
  auto_wanted_at     timestamptz,
  auto_recorded_at   timestamptz,
  -- When auto_record was chosen: facts about a room may arrive in any order.
  auto_record_set_at timestamptz
);
CREATE INDEX rooms_auto_wanted ON rooms (auto_wanted_at) WHERE auto_wanted_at IS NOT NULL;
