-- Finished classes of an organization in the order of their ends, for the end of their data's retention.
CREATE INDEX CONCURRENTLY rooms_expiring ON rooms (organization_id, (coalesce(finished_at, ended_at)), sid) WHERE state = 'finished';
