-- One row an organization: whoever adds to its history holds it to the end of the transaction, so that no sequence is ever
-- seen before a lower one, and none is skipped.
CREATE TABLE histories (
  organization_id text   PRIMARY KEY,
  last_sequence   bigint NOT NULL
);

CREATE TABLE events (
  organization_id text        NOT NULL,
  sequence        bigint      NOT NULL,
  event_id        text        NOT NULL UNIQUE,
  type            text        NOT NULL,
  occurred_at     timestamptz NOT NULL,
  -- Not jsonb: the fields stay in the order that the documentation shows.
  data            json        NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, sequence)
);
CREATE INDEX events_created ON events (created_at);

CREATE TABLE webhook_endpoints (
  endpoint_id           text        PRIMARY KEY,
  organization_id       text        NOT NULL,
  url                   text        NOT NULL,
  description           text        NOT NULL,
  -- Empty: all types.
  event_types           text[]      NOT NULL,
  -- Sealed.
  secret                text        NOT NULL,
  previous_secret       text,
  previous_secret_until timestamptz,
  is_enabled            boolean     NOT NULL DEFAULT true,
  disabled_reason       text        CHECK (disabled_reason IN ('requested', 'gone', 'failing')),
  disabled_at           timestamptz,
  -- The first failure after the last success.
  failing_since         timestamptz,
  -- It asked for silence until then (Retry-After).
  held_until            timestamptz,
  -- Of the request that made it, and of the last one that changed its secret.
  idempotency_key       text,
  idempotency_hash      text,
  rotation_key          text,
  created_at            timestamptz NOT NULL,
  updated_at            timestamptz NOT NULL,
  deleted_at            timestamptz,
  CHECK (is_enabled = (disabled_reason IS NULL))
);
CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_id, created_at);
CREATE UNIQUE INDEX webhook_endpoints_idempotency ON webhook_endpoints (organization_id, idempotency_key);

CREATE TABLE webhook_deliveries (
  delivery_id   text        PRIMARY KEY,
  position      bigint      GENERATED ALWAYS AS IDENTITY,
  endpoint_id   text        NOT NULL REFERENCES webhook_endpoints,
  event_id      text        NOT NULL,
  type          text        NOT NULL,
  event_at      timestamptz NOT NULL,
  -- What is sent, to the byte: each attempt signs the same.
  payload       text        NOT NULL,
  trace         text,
  status        text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts      int         NOT NULL DEFAULT 0,
  -- Rises with each attempt and never falls: an attempt that was overtaken writes nothing.
  claim         int         NOT NULL DEFAULT 0,
  due_at        timestamptz,
  leased_until  timestamptz,
  attempted_at  timestamptz,
  status_code   int,
  error         text,
  duration_ms   int,
  response_body text,
  created_at    timestamptz NOT NULL,
  UNIQUE (endpoint_id, event_id),
  CHECK ((status = 'pending') = (due_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (endpoint_id, position);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);
