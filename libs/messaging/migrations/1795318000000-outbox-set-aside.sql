-- A fact that can never be published, such as one larger than a message may be: moved here so that it blocks nothing behind it.
CREATE TABLE outbox_set_aside (
  id           uuid        PRIMARY KEY,
  subject      text        NOT NULL,
  body         text        NOT NULL,
  trace        text,
  created_at   timestamptz NOT NULL,
  set_aside_at timestamptz NOT NULL,
  reason       text        NOT NULL
);
