-- Keys that contain the organization. The last release names neither of them: it finds entries by organization and id.
-- contract: 0.1.0
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_pkey;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY USING INDEX ledger_entries_key;
-- contract: 0.1.0
ALTER TABLE statements DROP CONSTRAINT statements_pkey;
ALTER TABLE statements ADD CONSTRAINT statements_pkey PRIMARY KEY USING INDEX statements_key;
