-- Requests to export the data of a person, a class or the organization, and the files made for them.
CREATE TABLE exports (
  export_id       text        PRIMARY KEY,
  organization_id text        NOT NULL,
  -- Null when the file is deleted.
  subject         jsonb,
  -- While it is not completed: an organization has as many unfinished exports as there are slots.
  slot            integer,
  requested_at    timestamptz NOT NULL,
  -- Number of the attempt. An attempt with an older number writes nothing.
  attempt         integer     NOT NULL DEFAULT 0,
  waiting_for     text[]      NOT NULL,
  -- When an attempt may begin, or replace one whose worker died; null if there is nothing to do.
  due_at          timestamptz,
  completed_at    timestamptz,
  bytes           bigint,
  sha256          text,
  stores          json,
  -- When the file is deleted, or deleted for the second time.
  delete_at       timestamptz,
  deleted_at      timestamptz
);
CREATE UNIQUE INDEX exports_slot_once ON exports (organization_id, slot) WHERE slot IS NOT NULL;
CREATE INDEX exports_due ON exports (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX exports_delete ON exports (delete_at) WHERE delete_at IS NOT NULL;
