-- The bucket of an organization's own to which its recordings are copied. The key's secret is sealed with RECORDING_KEY_SECRET.
CREATE TABLE recording_buckets (
  organization_id  text        PRIMARY KEY,
  endpoint         text        NOT NULL,
  region           text        NOT NULL,
  bucket           text        NOT NULL,
  prefix           text        NOT NULL,
  access_key_id    text        NOT NULL,
  sealed_secret    text        NOT NULL,
  force_path_style boolean     NOT NULL,
  -- Increases each time the bucket is set: what an attempt found out belongs to the setting that it used.
  version          integer     NOT NULL,
  -- When it was first set: recordings that were completed before are not copied.
  created_at       timestamptz NOT NULL,
  set_at           timestamptz NOT NULL,
  failing_since    timestamptz,
  error            text,
  last_copied_at   timestamptz
);

-- status: PENDING (an attempt follows) → COPIED or FAILED (given up).
CREATE TABLE recording_copies (
  recording_key   uuid        PRIMARY KEY,
  organization_id text        NOT NULL,
  status          text        NOT NULL CHECK (status IN ('PENDING', 'COPIED', 'FAILED')),
  attempts        integer     NOT NULL DEFAULT 0,
  error           text,
  requested_at    timestamptz NOT NULL,
  -- Null unless PENDING.
  next_attempt_at timestamptz CHECK ((next_attempt_at IS NOT NULL) = (status = 'PENDING')),
  -- Until when a worker has the copy. It extends this with each part.
  running_until   timestamptz,
  -- The upload in parts of the present attempt, so that the next one can free what a killed worker left.
  upload_key      text,
  upload_id       text,
  object_key      text,
  copied_at       timestamptz
);
CREATE INDEX recording_copies_due ON recording_copies (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX recording_copies_pending ON recording_copies (organization_id, next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX recording_copies_failed ON recording_copies (organization_id) WHERE status = 'FAILED';
