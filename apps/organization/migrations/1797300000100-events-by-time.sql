-- For the events since a time: a replay would otherwise read the history from its beginning.
CREATE INDEX CONCURRENTLY events_occurred ON events (organization_id, occurred_at, sequence);
