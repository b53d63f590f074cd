-- Who may write in the chat, and how many seconds a student waits between messages.
ALTER TABLE rooms
  ADD COLUMN chat_mode         text    NOT NULL DEFAULT 'ALL',
  ADD COLUMN slow_mode_seconds integer NOT NULL DEFAULT 0;

-- What the token says over the role's permissions.
ALTER TABLE participants
  ADD COLUMN may_chat boolean NOT NULL DEFAULT true;

-- A deleted message keeps its row without its text.
ALTER TABLE chat_messages
  -- Only its author and those who manage participants get it.
  ADD COLUMN is_private      boolean NOT NULL DEFAULT false,
  ADD COLUMN deleted_at      timestamptz,
  -- A participant's uid; null if the organization's backend deleted it.
  ADD COLUMN deleted_by      text,
  -- The class version at which it was last deleted or reported.
  ADD COLUMN changed_version bigint;

CREATE TABLE chat_reports (
  sid         text        NOT NULL REFERENCES rooms ON DELETE CASCADE,
  -- The message's.
  version     bigint      NOT NULL,
  uid         text        NOT NULL,
  reported_at timestamptz NOT NULL,
  -- One report of each participant: the index decides a race.
  PRIMARY KEY (sid, version, uid)
);
CREATE INDEX chat_reports_by_reporter ON chat_reports (sid, uid, reported_at);
COMMENT ON TABLE chat_reports IS 'belongs to rooms by sid';
