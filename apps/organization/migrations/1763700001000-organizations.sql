CREATE TABLE organizations (
  organization_id   text           PRIMARY KEY,
  name              text           NOT NULL,
  billing_type      text           CHECK (billing_type IN ('PREPAID', 'POSTPAID')),
  credit_rate       numeric(18, 6) CHECK (credit_rate >= 0),
  currency          text,
  -- Credits a prepaid plan begins with: the first entry of its ledger.
  opening_credits   bigint,
  billing_frequency text           CHECK (billing_frequency IN ('WEEKLY', 'MONTHLY')),
  cycle_start       timestamptz,
  verified_domains  text[]         NOT NULL DEFAULT '{}',
  logo_url          text,
  primary_color     text,
  accent_color      text,
  created_at        timestamptz    NOT NULL,
  updated_at        timestamptz    NOT NULL,
  CHECK ((billing_type IS NULL) = (credit_rate IS NULL)),
  CHECK (billing_type <> 'POSTPAID' OR (billing_frequency IS NOT NULL AND cycle_start IS NOT NULL))
);
CREATE INDEX organizations_newest ON organizations (created_at DESC, organization_id DESC);
