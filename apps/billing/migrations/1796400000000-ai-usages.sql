-- The AI usage behind the entries of kind AI_USAGE: the entry with the same `ai_sequence` charges it.
CREATE TABLE ai_usages (
  organization_id text           NOT NULL,
  usage_id        text           NOT NULL,
  ai_sequence     integer        NOT NULL,
  sid             text,
  kind            text           NOT NULL,
  input_tokens    bigint         NOT NULL,
  output_tokens   bigint         NOT NULL,
  credits         numeric(24, 9) NOT NULL,
  -- All usage of the organization up to this one.
  total           numeric(24, 9) NOT NULL,
  used_at         timestamptz    NOT NULL,
  PRIMARY KEY (organization_id, usage_id)
);
COMMENT ON TABLE ai_usages IS 'append-only: it explains entries of the ledger';
CREATE INDEX ai_usages_by_entry ON ai_usages (organization_id, ai_sequence, total);
