-- The hours of organizations that keep their recordings longer than the installation does.
CREATE TABLE retention_hours (
  organization_id text    PRIMARY KEY,
  hours           integer NOT NULL CHECK (hours > 0)
);
