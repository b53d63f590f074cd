-- What the entries of an organization's open cycle add up to, as far as `position`. Its statement adds newer entries only.
CREATE TABLE cycle_sums (
  organization_id text           PRIMARY KEY,
  cycle_start     timestamptz    NOT NULL,
  position        bigint         NOT NULL,
  credits         bigint         NOT NULL,
  amount          numeric(20, 6) NOT NULL
);
