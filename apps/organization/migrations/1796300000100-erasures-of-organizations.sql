CREATE UNIQUE INDEX CONCURRENTLY erasures_of_organization ON erasures (organization_id) WHERE is_of_organization;
