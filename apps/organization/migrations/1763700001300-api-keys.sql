CREATE TABLE api_keys (
  key_id          text        PRIMARY KEY,
  organization_id text        NOT NULL REFERENCES organizations,
  -- Public: how its secrets begin, and how a key is found by one of them.
  prefix          text        NOT NULL UNIQUE,
  name            text        NOT NULL,
  scopes          text[]      NOT NULL CHECK (cardinality(scopes) > 0),
  expires_at      timestamptz,
  last_used_at    timestamptz,
  -- Of the request that made it, and of the last one that rotated it.
  idempotency_key text,
  rotation_key    text,
  created_at      timestamptz NOT NULL,
  -- The row stays, for whoever asks later whose key it was; its secrets go.
  revoked_at      timestamptz
);
CREATE INDEX api_keys_organization ON api_keys (organization_id, created_at);
CREATE UNIQUE INDEX api_keys_idempotency ON api_keys (organization_id, idempotency_key);

CREATE TABLE api_key_secrets (
  key_id      text        NOT NULL REFERENCES api_keys,
  -- SHA-256 of 32 random bytes as text: nothing slower is needed where nothing can be guessed.
  hash        bytea       NOT NULL CHECK (length(hash) = 32),
  -- Null: the present one.
  valid_until timestamptz,
  PRIMARY KEY (key_id, hash)
);
