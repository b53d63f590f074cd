-- What an organization's use of AI came to in credits, with all decimals, and what of it was charged in whole ones.
CREATE TABLE ai_meters (
  organization_id text           PRIMARY KEY,
  used            numeric(24, 9) NOT NULL DEFAULT 0,
  charged_credits bigint         NOT NULL DEFAULT 0,
  sequence        integer        NOT NULL DEFAULT 0
);

ALTER TABLE ledger_entries
  DROP CONSTRAINT ledger_entries_kind_check,
  ADD CONSTRAINT ledger_entries_kind_check CHECK (kind IN ('OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT', 'AI_USAGE')) NOT VALID,
  ADD COLUMN ai_sequence integer;
ALTER TABLE ledger_entries VALIDATE CONSTRAINT ledger_entries_kind_check;
CREATE UNIQUE INDEX ledger_ai_once ON ledger_entries (organization_id, ai_sequence) WHERE ai_sequence IS NOT NULL;
