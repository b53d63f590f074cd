CREATE INDEX CONCURRENTLY erasures_beginning ON erasures (begins_at) WHERE due_at IS NULL AND completed_at IS NULL;
