ALTER TABLE polls ADD COLUMN hide_result boolean NOT NULL DEFAULT false, ADD COLUMN correct_option integer;
