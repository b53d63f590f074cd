-- What was done by whom, for each organization and for the operators (organization_id '~operators'), each log a chain of hashes.
CREATE TABLE audit_entries (
  entry_id        text        PRIMARY KEY,
  organization_id text        NOT NULL,
  sequence        bigint      NOT NULL,
  at              timestamptz NOT NULL,
  actor_type      text        NOT NULL,
  actor_id        text        NOT NULL,
  operation       text        NOT NULL,
  address         text        NOT NULL,
  request_id      text        NOT NULL,
  -- Not jsonb: the hash covers the text of each field in its order.
  target          json        NOT NULL,
  fields          json        NOT NULL,
  changes         json        NOT NULL,
  -- HTTP status of the answer; null if it is unknown.
  status          integer,
  -- SHA-256 over all other columns and the hash of the entry before.
  hash            bytea       NOT NULL CHECK (length(hash) = 32),
  UNIQUE (organization_id, sequence)
);
COMMENT ON TABLE audit_entries IS 'append-only: the audit log';
CREATE INDEX audit_entries_newest ON audit_entries (at, entry_id);
CREATE INDEX audit_entries_newest_of_organization ON audit_entries (organization_id, at, entry_id);

-- The end of each log. The lock on its row orders the entries.
CREATE TABLE audit_heads (
  organization_id text   PRIMARY KEY,
  sequence        bigint NOT NULL,
  hash            bytea  NOT NULL
);

-- Calls whose end is not known yet, or may still have an effect.
CREATE TABLE audit_pending (
  entry_id        text        PRIMARY KEY,
  organization_id text        NOT NULL,
  call            json        NOT NULL,
  -- From then on the entry is appended as it is.
  due_at          timestamptz NOT NULL
);
CREATE INDEX audit_pending_due ON audit_pending (due_at);

-- What a call changed, written in the transaction of the change, until the call's entry is appended.
CREATE TABLE audit_changes (
  position        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entry_id        text        NOT NULL,
  organization_id text        NOT NULL,
  change          json        NOT NULL,
  created_at      timestamptz NOT NULL
);
CREATE INDEX audit_changes_entry ON audit_changes (entry_id);
