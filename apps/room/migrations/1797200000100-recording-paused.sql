ALTER TABLE room_recordings ADD COLUMN is_paused boolean NOT NULL DEFAULT false;
