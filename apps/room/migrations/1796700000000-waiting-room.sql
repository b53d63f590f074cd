ALTER TABLE rooms
  -- Who waits before the class until they are admitted: OFF, STUDENTS or ALL.
  ADD COLUMN waiting_room    text   NOT NULL DEFAULT 'OFF',
  ADD COLUMN waiting_version bigint NOT NULL DEFAULT 0;

ALTER TABLE participants
  -- WAITING, ADMITTED or REFUSED. Null: the participant has not waited, and nothing was decided.
  ADD COLUMN admission       text,
  ADD COLUMN waits_since     timestamptz,
  -- When the page of a waiting participant last asked.
  ADD COLUMN waiting_seen_at timestamptz;
