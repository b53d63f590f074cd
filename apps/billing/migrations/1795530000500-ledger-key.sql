CREATE UNIQUE INDEX CONCURRENTLY ledger_entries_key ON ledger_entries (organization_id, entry_id);
