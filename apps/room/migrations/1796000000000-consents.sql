ALTER TABLE rooms
  -- The consent to recordings that is asked for: ask, without, version, text. Null: none.
  ADD COLUMN recording_consent json,
  ADD COLUMN may_use_ai        boolean NOT NULL DEFAULT true;

ALTER TABLE participants
  ADD COLUMN may_use_ai      boolean NOT NULL DEFAULT true,
  -- The latest answer, and the version of the text that it answers.
  ADD COLUMN consent_version text,
  ADD COLUMN consent_granted boolean;

CREATE TABLE consents (
  id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id text        NOT NULL,
  sid             text        NOT NULL,
  uid             text        NOT NULL,
  purpose         text        NOT NULL,
  version         text        NOT NULL,
  -- SHA-256, in hexadecimal, of the text that was shown.
  text_hash       text        NOT NULL,
  granted         boolean     NOT NULL,
  answered_at     timestamptz NOT NULL,
  -- A pseudonym replaces the uid by the cascade alone: the service's role may not change a row.
  FOREIGN KEY (sid, uid) REFERENCES participants ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX consents_of_class ON consents (sid, id);
CREATE INDEX consents_of_person ON consents (sid, uid);
COMMENT ON TABLE consents IS 'append-only: what a participant answered';
