-- What this service has erased for a request, so that a repeated request is answered with the counts of the first.
CREATE TABLE applied_erasures (
  erasure_id      text PRIMARY KEY,
  organization_id text NOT NULL,
  is_complete     boolean NOT NULL,
  counts          json NOT NULL
);

-- A message applied; its row is written by the transaction that applied it. This, not JetStream's window, stops doubles.
CREATE TABLE inbox (
  consumer    text NOT NULL,
  message_id  text NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, message_id)
);
-- Each consumer's rows are kept as long as its stream can deliver their messages again.
CREATE INDEX inbox_age ON inbox (consumer, received_at);
CREATE INDEX inbox_received ON inbox (received_at);

-- A fact waits here, written by the transaction that made it true, until the relay has seen it stored in JetStream.
CREATE TABLE outbox (
  id           uuid PRIMARY KEY,
  position     bigint GENERATED ALWAYS AS IDENTITY,
  subject      text NOT NULL,
  body         text NOT NULL,
  trace        text,
  created_at   timestamptz NOT NULL,
  published_at timestamptz
);
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;
CREATE INDEX outbox_unpublished ON outbox (position) WHERE published_at IS NULL;

-- A fact that can never be published, such as one larger than a message may be: moved here so that it blocks nothing behind it.
CREATE TABLE outbox_set_aside (
  id           uuid PRIMARY KEY,
  subject      text NOT NULL,
  body         text NOT NULL,
  trace        text,
  created_at   timestamptz NOT NULL,
  set_aside_at timestamptz NOT NULL,
  reason       text NOT NULL
);

-- Up to which time a service has erased the data of a class that an organization no longer keeps.
CREATE TABLE retention_progress (
  organization_id text NOT NULL,
  data_class      text NOT NULL,
  through         timestamptz NOT NULL,
  PRIMARY KEY (organization_id, data_class)
);
