CREATE INDEX CONCURRENTLY rooms_schedule_due ON rooms (schedule_due_at) WHERE schedule_due_at IS NOT NULL;
