CREATE INDEX CONCURRENTLY erasures_of_organization ON erasures (organization_id, erasure_id);
