CREATE UNIQUE INDEX CONCURRENTLY statements_key ON statements (organization_id, statement_id);
