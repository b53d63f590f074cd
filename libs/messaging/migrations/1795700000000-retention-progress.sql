-- Up to which time a service has erased the data of a class that an organization no longer keeps.
CREATE TABLE retention_progress (
  organization_id text        NOT NULL,
  data_class      text        NOT NULL,
  through         timestamptz NOT NULL,
  PRIMARY KEY (organization_id, data_class)
);
