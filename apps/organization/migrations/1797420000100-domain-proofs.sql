-- Domains whose owner proves them by a TXT record. Which domains are verified is in organizations.verified_domains: those that an operator verified have no row here.
CREATE TABLE domain_proofs (
  organization_id text        NOT NULL,
  domain          text        NOT NULL,
  -- The value of the record.
  token           text        NOT NULL,
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
