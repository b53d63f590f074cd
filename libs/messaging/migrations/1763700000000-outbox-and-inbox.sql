-- A fact waits here, written by the transaction that made it true, until the relay has seen it stored in JetStream.
CREATE TABLE outbox (
  id           uuid        PRIMARY KEY,
  position     bigint      GENERATED ALWAYS AS IDENTITY,
  subject      text        NOT NULL,
  body         text        NOT NULL,
  trace        text,
  created_at   timestamptz NOT NULL,
  published_at timestamptz
);
CREATE INDEX outbox_unpublished ON outbox (position) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

-- A message applied; its row is written by the transaction that applied it. This, not JetStream's window, stops doubles.
CREATE TABLE inbox (
  consumer    text        NOT NULL,
  message_id  text        NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX inbox_received ON inbox (received_at);
