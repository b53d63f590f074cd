-- Bytes of the files for playback, and of the caption tracks. Those of videos that an earlier release transcoded are not known.
ALTER TABLE videos ADD COLUMN output_bytes bigint NOT NULL DEFAULT 0, ADD COLUMN caption_bytes bigint NOT NULL DEFAULT 0;
-- The length that counts for the organization's minutes, so that it counts once; null before its first transcoding.
ALTER TABLE videos ADD COLUMN counted_seconds integer;
ALTER TABLE captions ADD COLUMN size integer NOT NULL DEFAULT 0;

-- One row for each organization. It is locked while its quotas are compared with what it uses.
CREATE TABLE libraries (
  organization_id text        PRIMARY KEY,
  -- Its beginning, in UTC.
  month           timestamptz NOT NULL,
  -- Length of the videos that were transcoded in the month.
  seconds         bigint      NOT NULL
);
