-- Failures are a run only if attempts are made: two days without one end it.
ALTER TABLE webhook_endpoints ADD COLUMN last_failed_at timestamptz;
