-- The few whose role no token tells.
CREATE INDEX CONCURRENTLY participants_changed_roles ON participants (sid) WHERE role_changed_at IS NOT NULL;
