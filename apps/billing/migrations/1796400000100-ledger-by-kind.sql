-- Nearly all entries are charges, which ledger_newest finds.
CREATE INDEX CONCURRENTLY ledger_by_kind ON ledger_entries (organization_id, kind, position DESC) WHERE kind <> 'CHARGE';
