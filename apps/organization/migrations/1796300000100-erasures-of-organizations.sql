CREATE UNIQUE INDEX CONCURRENTLY erasures_closing ON erasures (organization_id) WHERE is_of_organization;
