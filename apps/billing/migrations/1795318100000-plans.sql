-- Every state of an organization's plan that was heard of, in whatever order: what was in force when.
CREATE TABLE plans (
  organization_id text           NOT NULL,
  -- The organization's own time of the change.
  updated_at      timestamptz    NOT NULL,
  billing_type    text           NOT NULL CHECK (billing_type IN ('PREPAID', 'POSTPAID')),
  opening_credits bigint         NOT NULL,
  credit_rate     numeric(18, 6) NOT NULL,
  currency        text           NOT NULL,
  -- The account's, once this state was taken.
  balance         bigint         NOT NULL,
  -- Whether the opening credits of the period that it belongs to were posted with it.
  is_opened       boolean        NOT NULL,
  PRIMARY KEY (organization_id, updated_at)
);

-- A correction that brought the balance to 0 when a plan ended names that plan.
ALTER TABLE ledger_entries ADD COLUMN settles text;
