-- ledger_meter_key decides instead: a room belongs to one organization.
-- contract: 0.1.0
DROP INDEX CONCURRENTLY ledger_meter_once;
