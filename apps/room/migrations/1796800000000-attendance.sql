-- By what attendance is evaluated: lateAfter, leftBefore, minimumPresence, reconnectGrace. Null: it is not evaluated.
ALTER TABLE rooms ADD COLUMN attendance json;

-- Who is expected in a class.
CREATE TABLE roster_entries (
  organization_id text NOT NULL,
  sid             text NOT NULL REFERENCES rooms ON DELETE CASCADE,
  uid             text NOT NULL,
  name            text,
  PRIMARY KEY (sid, uid)
);
-- The classes of a person, for an erasure.
CREATE INDEX roster_entries_by_uid ON roster_entries (uid);
