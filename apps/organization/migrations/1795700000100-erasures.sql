-- Requests to erase a person or a class. The subject is removed when the request is completed.
CREATE TABLE erasures (
  erasure_id      text        PRIMARY KEY,
  organization_id text        NOT NULL,
  subject         json,
  results         jsonb       NOT NULL DEFAULT '{}',
  -- The last fact in the stream when all other services had erased: this service erases when it has read it.
  facts_through   bigint,
  requested_at    timestamptz NOT NULL,
  due_at          timestamptz,
  completed_at    timestamptz,
  receipt         json
);
CREATE INDEX erasures_due ON erasures (due_at) WHERE due_at IS NOT NULL;
