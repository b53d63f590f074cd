-- What the ledger audit has proved so far: the sum of an organization's entries up to `position`. The next round reads newer entries only.
CREATE TABLE ledger_checkpoints (
  organization_id text   PRIMARY KEY,
  position        bigint NOT NULL,
  balance         bigint NOT NULL
);

-- Accounts and rooms that do not add up, and with 0 credits those that could not be read. A row stays until a later audit finds that they add up.
CREATE TABLE ledger_differences (
  what     text             NOT NULL CHECK (what IN ('account', 'room')),
  id       text             NOT NULL,
  credits  double precision NOT NULL,
  found_at timestamptz      NOT NULL,
  PRIMARY KEY (what, id)
);

-- The audit's state, one row: the process that runs the rounds, the end of the last full round, and how far settled rooms are proved.
CREATE TABLE ledger_audit (
  is_only      boolean     PRIMARY KEY DEFAULT true CHECK (is_only),
  holder       uuid,
  held_until   timestamptz NOT NULL DEFAULT '-infinity',
  completed_at timestamptz NOT NULL,
  settled_at   timestamptz NOT NULL DEFAULT '-infinity',
  sid          text        NOT NULL DEFAULT ''
);
INSERT INTO ledger_audit (completed_at) VALUES (now());
