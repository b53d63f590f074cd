-- The dashboard sessions that are open, each of one token. A token whose session is not here is refused.
CREATE TABLE dashboard_sessions (
  organization_id text        NOT NULL,
  session_id      text        NOT NULL,
  -- When its token expires.
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, session_id)
);
CREATE INDEX dashboard_sessions_expired ON dashboard_sessions (expires_at);
