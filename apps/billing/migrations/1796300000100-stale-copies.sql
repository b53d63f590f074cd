-- Classes whose sessions were changed by retention or an erasure, until their copy in ClickHouse is replaced. An empty sid: all of the organization.
CREATE TABLE stale_copies (
  organization_id text   NOT NULL,
  sid             text   NOT NULL,
  -- Rises with each change.
  mark            bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (organization_id, sid)
);
