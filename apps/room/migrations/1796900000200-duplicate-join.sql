-- What happens when a participant who is in class joins from another device: replace or refuse.
ALTER TABLE rooms ADD COLUMN duplicate_join text NOT NULL DEFAULT 'replace';
