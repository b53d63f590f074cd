CREATE UNIQUE INDEX CONCURRENTLY ledger_meter_key ON ledger_entries (organization_id, sid, meter_sequence) WHERE sid IS NOT NULL;
