-- When the end was written, by our own clock: ended_at may be earlier by as long as the sweep was late.
ALTER TABLE rooms ADD COLUMN finished_at timestamptz;
