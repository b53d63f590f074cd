-- When the recording was paused, and the public ids of the recordings that a merged one is made of.
ALTER TABLE recordings ADD COLUMN paused_at timestamptz;
ALTER TABLE recordings ADD COLUMN merged_from text[] NOT NULL DEFAULT '{}';
