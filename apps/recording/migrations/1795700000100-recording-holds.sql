-- Since when the organization has kept the files of a recording for a legal reason; null if it does not.
ALTER TABLE recordings ADD COLUMN held_at timestamptz;
