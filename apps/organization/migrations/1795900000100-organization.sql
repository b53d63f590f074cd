-- What a call changed, written in the transaction of the change, until the call's entry is appended.
CREATE TABLE audit_changes (
  position        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entry_id        text NOT NULL,
  organization_id text NOT NULL,
  change          json NOT NULL,
  created_at      timestamptz NOT NULL
);
CREATE INDEX audit_changes_entry ON audit_changes (entry_id);

-- What was done by whom, for each organization and for the operators (organization_id '~operators'), each log a chain of hashes.
CREATE TABLE audit_entries (
  entry_id        text PRIMARY KEY,
  organization_id text NOT NULL,
  sequence        bigint NOT NULL,
  at              timestamptz NOT NULL,
  actor_type      text NOT NULL,
  actor_id        text NOT NULL,
  operation       text NOT NULL,
  address         text NOT NULL,
  request_id      text NOT NULL,
  -- Not jsonb: the hash covers the text of each field in its order.
  target          json NOT NULL,
  fields          json NOT NULL,
  changes         json NOT NULL,
  -- HTTP status of the answer; null if it is unknown.
  status          integer,
  -- SHA-256 over all other columns and the hash of the entry before.
  hash            bytea NOT NULL,
  CHECK (length(hash) = 32),
  UNIQUE (organization_id, sequence)
);
CREATE INDEX audit_entries_newest ON audit_entries (at, entry_id);
CREATE INDEX audit_entries_newest_of_organization ON audit_entries (organization_id, at, entry_id);
COMMENT ON TABLE audit_entries IS 'append-only: the audit log';

-- The end of each log. The lock on its row orders the entries.
CREATE TABLE audit_heads (
  organization_id text PRIMARY KEY,
  sequence        bigint NOT NULL,
  hash            bytea NOT NULL
);

-- Calls whose end is not known yet, or may still have an effect.
CREATE TABLE audit_pending (
  entry_id        text PRIMARY KEY,
  organization_id text NOT NULL,
  call            json NOT NULL,
  -- From then on the entry is appended as it is.
  due_at          timestamptz NOT NULL
);
CREATE INDEX audit_pending_due ON audit_pending (due_at);

-- The dashboard sessions that are open, each of one token. A token whose session is not here is refused.
CREATE TABLE dashboard_sessions (
  organization_id text NOT NULL,
  session_id      text NOT NULL,
  -- When its token expires.
  expires_at      timestamptz NOT NULL,
  -- The API key that issued the token: its sessions end when it is revoked. Null if none did.
  key_id          text,
  PRIMARY KEY (organization_id, session_id)
);
CREATE INDEX dashboard_sessions_expired ON dashboard_sessions (expires_at);

-- Domains whose owner proves them by a TXT record. Which domains are verified is in organizations.verified_domains: those that an operator verified
-- have no row here.
CREATE TABLE domain_proofs (
  organization_id text NOT NULL,
  domain          text NOT NULL,
  -- The value of the record.
  token           text NOT NULL,
  created_at      timestamptz NOT NULL,
  -- FOUND, NOT_FOUND or NO_ANSWER.
  lookup          text,
  checked_at      timestamptz,
  -- When the record was found first.
  proved_at       timestamptz,
  -- Since when a record that was found is missing.
  missing_since   timestamptz,
  -- When it is looked for again; null if it is looked for on request only.
  check_at        timestamptz,
  PRIMARY KEY (organization_id, domain)
);
CREATE INDEX domain_proofs_due ON domain_proofs (check_at) WHERE check_at IS NOT NULL;

-- Requests to erase a person or a class. The subject is removed when the request is completed.
CREATE TABLE erasures (
  erasure_id         text PRIMARY KEY,
  organization_id    text NOT NULL,
  subject            json,
  results            jsonb NOT NULL DEFAULT '{}',
  -- The last fact in the stream when all other services had erased: this service erases when it has read it.
  facts_through      bigint,
  requested_at       timestamptz NOT NULL,
  due_at             timestamptz,
  completed_at       timestamptz,
  receipt            json,
  is_of_organization boolean NOT NULL DEFAULT false,
  closed_through     bigint,
  -- The history of a large organization takes many transactions.
  history_progress   json,
  begun_at           timestamptz,
  -- The erasure of an organization begins after a cool-down, until which it can be cancelled.
  begins_at          timestamptz
);
CREATE INDEX erasures_beginning ON erasures (begins_at) WHERE due_at IS NULL AND completed_at IS NULL;
CREATE UNIQUE INDEX erasures_closing ON erasures (organization_id) WHERE is_of_organization;
CREATE INDEX erasures_due ON erasures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX erasures_of_organization ON erasures (organization_id, erasure_id);

CREATE TABLE events (
  organization_id text NOT NULL,
  sequence        bigint NOT NULL,
  event_id        text NOT NULL UNIQUE,
  type            text NOT NULL,
  occurred_at     timestamptz NOT NULL,
  -- Not jsonb: the fields stay in the order that the documentation shows.
  data            json NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, sequence)
);
CREATE INDEX events_created ON events (created_at);
-- For the events since a time: a replay would otherwise read the history from its beginning.
CREATE INDEX events_occurred ON events (organization_id, occurred_at, sequence);

-- Requests to export the data of a person, a class or the organization, and the files made for them.
CREATE TABLE exports (
  export_id       text PRIMARY KEY,
  organization_id text NOT NULL,
  -- Null when the file is deleted.
  subject         jsonb,
  -- While it is not completed: an organization has as many unfinished exports as there are slots.
  slot            integer,
  requested_at    timestamptz NOT NULL,
  -- Number of the attempt. An attempt with an older number writes nothing.
  attempt         integer NOT NULL DEFAULT 0,
  waiting_for     text[] NOT NULL,
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
CREATE INDEX exports_delete ON exports (delete_at) WHERE delete_at IS NOT NULL;
CREATE INDEX exports_due ON exports (due_at) WHERE due_at IS NOT NULL;
CREATE UNIQUE INDEX exports_slot_once ON exports (organization_id, slot) WHERE slot IS NOT NULL;

-- One row an organization: whoever adds to its history holds it to the end of the transaction, so that no sequence is ever seen before a lower one,
-- and none is skipped.
CREATE TABLE histories (
  organization_id text PRIMARY KEY,
  last_sequence   bigint NOT NULL
);

CREATE TABLE organizations (
  organization_id         text PRIMARY KEY,
  name                    text NOT NULL,
  billing_type            text,
  credit_rate             numeric(18,6),
  currency                text,
  -- Credits a prepaid plan begins with: the first entry of its ledger.
  opening_credits         bigint,
  billing_frequency       text,
  cycle_start             timestamptz,
  verified_domains        text[] NOT NULL DEFAULT '{}',
  logo_url                text,
  primary_color           text,
  accent_color            text,
  created_at              timestamptz NOT NULL,
  updated_at              timestamptz NOT NULL,
  -- Increases with each revocation of the organization's dashboard tokens: those of an earlier version are refused.
  dashboard_token_version integer NOT NULL DEFAULT 0,
  -- How long the organization keeps each class of personal data; null: the defaults.
  retention               json,
  -- What the organization has set of consent to recordings, and AI, for new rooms.
  consent                 json,
  -- An organization whose erasure was requested is closed: it can only read that erasure.
  closed_at               timestamptz,
  -- The attendance policy that the organization has set for new rooms.
  attendance              json,
  -- {"url": …, "timeoutMs": …, "fallback": …}, and the encrypted secret that signs its questions. Null: none.
  join_hook               json,
  join_hook_secret        text,
  erasure_begins_at       timestamptz,
  -- What an operator allows the organization of what all organizations share; null for the values of the installation.
  quotas                  json,
  CHECK (billing_frequency IN ('WEEKLY', 'MONTHLY')),
  CHECK (billing_type IN ('PREPAID', 'POSTPAID')),
  CHECK ((billing_type IS NULL) = (credit_rate IS NULL)),
  CHECK (billing_type <> 'POSTPAID' OR (billing_frequency IS NOT NULL AND cycle_start IS NOT NULL)),
  CHECK (credit_rate >= (0))
);
CREATE INDEX organizations_newest ON organizations (created_at DESC, organization_id DESC);
-- Whether any organization lists a host: asked before a browser on that host may call the participants' API.
CREATE INDEX organizations_verified_domains ON organizations USING gin (verified_domains);

CREATE TABLE api_keys (
  key_id          text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations,
  -- Public: how its secrets begin, and how a key is found by one of them.
  prefix          text NOT NULL UNIQUE,
  name            text NOT NULL,
  scopes          text[] NOT NULL,
  expires_at      timestamptz,
  last_used_at    timestamptz,
  -- Of the request that made it, and of the last one that rotated it.
  idempotency_key text,
  rotation_key    text,
  created_at      timestamptz NOT NULL,
  -- The row stays, for whoever asks later whose key it was; its secrets go.
  revoked_at      timestamptz,
  -- The key that created this one. Null if none did.
  created_by_key  text,
  CHECK (cardinality(scopes) > 0)
);
CREATE UNIQUE INDEX api_keys_idempotency ON api_keys (organization_id, idempotency_key);
CREATE INDEX api_keys_organization ON api_keys (organization_id, created_at);

CREATE TABLE api_key_secrets (
  key_id      text NOT NULL REFERENCES api_keys,
  -- SHA-256 of 32 random bytes as text: nothing slower is needed where nothing can be guessed.
  hash        bytea NOT NULL,
  -- Null: the present one.
  valid_until timestamptz,
  CHECK (length(hash) = 32),
  PRIMARY KEY (key_id, hash)
);
COMMENT ON TABLE api_key_secrets IS 'belongs to api_keys by key_id';

-- The values of VF-ORG-ID that an organization may use: secrets, of which only hashes are stored. `organizations.organization_id` identifies it in
-- rows, facts, logs and addresses.
CREATE TABLE organization_credentials (
  credential_id   text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations,
  -- SHA-256 of the value. A revoked value is never accepted again, for no organization.
  hash            bytea NOT NULL UNIQUE,
  -- The last characters of a long value, to tell values apart.
  hint            text NOT NULL,
  expires_at      timestamptz,
  last_used_at    timestamptz,
  -- Of the request that created it.
  idempotency_key text,
  created_at      timestamptz NOT NULL,
  revoked_at      timestamptz,
  CHECK (length(hash) = 32)
);
CREATE UNIQUE INDEX organization_credentials_idempotency ON organization_credentials (organization_id, idempotency_key);
CREATE INDEX organization_credentials_organization ON organization_credentials (organization_id, created_at);

CREATE TABLE webhook_endpoints (
  endpoint_id           text PRIMARY KEY,
  organization_id       text NOT NULL,
  url                   text NOT NULL,
  description           text NOT NULL,
  -- Empty: all types.
  event_types           text[] NOT NULL,
  -- Sealed.
  secret                text NOT NULL,
  previous_secret       text,
  previous_secret_until timestamptz,
  is_enabled            boolean NOT NULL DEFAULT true,
  disabled_reason       text,
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
  -- Failures are a run only if attempts are made: two days without one end it.
  last_failed_at        timestamptz,
  CHECK (is_enabled = (disabled_reason IS NULL)),
  CHECK (disabled_reason IN ('requested', 'gone', 'failing'))
);
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (endpoint_id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX webhook_endpoints_idempotency ON webhook_endpoints (organization_id, idempotency_key);
CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_id, created_at);

CREATE TABLE webhook_deliveries (
  delivery_id   text PRIMARY KEY,
  position      bigint GENERATED ALWAYS AS IDENTITY,
  endpoint_id   text NOT NULL REFERENCES webhook_endpoints,
  event_id      text NOT NULL,
  type          text NOT NULL,
  event_at      timestamptz NOT NULL,
  -- What is sent, to the byte: each attempt signs the same.
  payload       text NOT NULL,
  trace         text,
  status        text NOT NULL DEFAULT 'pending',
  attempts      integer NOT NULL DEFAULT 0,
  -- Rises with each attempt and never falls: an attempt that was overtaken writes nothing.
  claim         integer NOT NULL DEFAULT 0,
  due_at        timestamptz,
  leased_until  timestamptz,
  attempted_at  timestamptz,
  status_code   integer,
  error         text,
  duration_ms   integer,
  response_body text,
  created_at    timestamptz NOT NULL,
  CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  CHECK (status IN ('pending', 'delivered', 'failed')),
  UNIQUE (endpoint_id, event_id)
);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (endpoint_id, position);
COMMENT ON TABLE webhook_deliveries IS 'belongs to webhook_endpoints by endpoint_id';

-- The service may delete a log only after the erasure of its organization is recorded as completed. That record stays, and the log never begins
-- again:
-- otherwise the service could replace a log by another one.
-- Uploaded logos, without metadata, in parts that fit in a message of NATS. The one in force is named by organizations.logo_url.
CREATE TABLE organization_logos (
  organization_id text    NOT NULL,
  -- Of the whole logo.
  sha256          text    NOT NULL,
  -- From 0.
  number          integer NOT NULL,
  parts           integer NOT NULL,
  content         bytea   NOT NULL CHECK (length(content) <= 1048576),
  PRIMARY KEY (organization_id, sha256, number)
);
-- The path of a logo, which is sealed, names it by its hash.
CREATE INDEX organization_logos_content ON organization_logos (sha256, number);
-- Pictures are compressed already.
ALTER TABLE organization_logos ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE FUNCTION erase_audit_entries(erased text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM erasures WHERE organization_id = erased AND is_of_organization AND completed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the erasure of this organization is not completed';
  END IF;
  DELETE FROM audit_entries WHERE organization_id = erased;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

CREATE FUNCTION refuse_audit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM erasures WHERE organization_id = NEW.organization_id AND is_of_organization AND completed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the audit log of this organization was erased';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entries_refused BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_entry();

CREATE FUNCTION refuse_change_of_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the completed erasure of an organization cannot be changed';
END $$;
CREATE TRIGGER erasures_kept BEFORE UPDATE OR DELETE ON erasures FOR EACH ROW
  WHEN (OLD.is_of_organization AND OLD.completed_at IS NOT NULL) EXECUTE FUNCTION refuse_change_of_erasure();
