-- One row for each organization. It is locked while its quotas are compared with what it uses.
CREATE TABLE libraries (
  organization_id text PRIMARY KEY,
  -- Its beginning, in UTC.
  month           timestamptz NOT NULL,
  -- Length of the videos that were transcoded in the month.
  seconds         bigint NOT NULL
);

-- status: uploading (told as pending) → pending → processing → completed or failed.
CREATE TABLE videos (
  video_id          text PRIMARY KEY,
  organization_id   text NOT NULL,
  title             text NOT NULL,
  file_name         text NOT NULL,
  content_type      text NOT NULL,
  playback          text NOT NULL,
  -- Bytes of the source.
  size              bigint NOT NULL,
  status            text NOT NULL,
  progress          integer NOT NULL DEFAULT 0,
  message           text,
  -- Unguessable: whoever knows it may go on with the upload, and nothing else.
  upload_id         text UNIQUE,
  upload_expires_at timestamptz,
  -- Of rec_…: a recording is published once.
  recording_id      text,
  -- Each attempt writes under its own prefix; only the one that is named here is played.
  attempt           integer NOT NULL DEFAULT 0,
  attempted_at      timestamptz,
  -- When a worker shall take it (again); null where there is nothing to do.
  transcode_at      timestamptz,
  -- The finished attempt: {"type","duration","height","hasAudio","hasVideo","renditions":[…],"poster":…}.
  result            json,
  duration          integer,
  created_at        timestamptz NOT NULL,
  completed_at      timestamptz,
  -- Rows of deleted videos go once their objects are gone.
  deleted_at        timestamptz,
  -- The trace of the request that brought the last byte: the transcoding points back to it.
  trace             text,
  -- Bytes of the files for playback, and of the caption tracks.
  output_bytes      bigint NOT NULL DEFAULT 0,
  caption_bytes     bigint NOT NULL DEFAULT 0,
  -- The length that counts for the organization's minutes, so that it counts once; null before its first transcoding.
  counted_seconds   integer,
  CHECK (playback IN ('hls', 'mp4')),
  CHECK (status IN ('uploading', 'pending', 'processing', 'completed', 'failed'))
);
CREATE INDEX videos_deleted ON videos (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX videos_exported ON videos (organization_id, video_id) WHERE deleted_at IS NULL;
CREATE INDEX videos_newest ON videos (organization_id, created_at DESC, video_id DESC) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX videos_of_recording ON videos (organization_id, recording_id) WHERE recording_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX videos_stored ON videos (organization_id) INCLUDE (status, attempt, size, output_bytes, caption_bytes) WHERE deleted_at IS NULL;
CREATE INDEX videos_transcode ON videos (transcode_at) WHERE transcode_at IS NOT NULL;
CREATE INDEX videos_unfinished ON videos (upload_expires_at) WHERE status = 'uploading';

CREATE TABLE captions (
  video_id   text NOT NULL REFERENCES videos ON DELETE CASCADE,
  language   text NOT NULL,
  label      text NOT NULL,
  is_default boolean NOT NULL,
  size       integer NOT NULL DEFAULT 0,
  PRIMARY KEY (video_id, language)
);
COMMENT ON TABLE captions IS 'belongs to videos by video_id';
