-- What this service has erased for a request, so that a repeated request is answered with the counts of the first.
CREATE TABLE applied_erasures (
  erasure_id      text    PRIMARY KEY,
  organization_id text    NOT NULL,
  is_complete     boolean NOT NULL,
  counts          json    NOT NULL
);
