-- Whether the recording ended because it had reached the engine's longest length.
ALTER TABLE recordings ADD COLUMN limit_reached boolean NOT NULL DEFAULT false;
