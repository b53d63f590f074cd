-- One organization's credits. `balance` and `cycle_credits` are projections of the ledger, kept in its transactions.
CREATE TABLE accounts (
  organization_id   text           PRIMARY KEY,
  -- What jobs carry: the organization's id is a secret.
  account_id        uuid           NOT NULL UNIQUE,
  billing_type      text           NOT NULL CHECK (billing_type IN ('PREPAID', 'POSTPAID')),
  credit_rate       numeric(18, 6) NOT NULL,
  currency          text           NOT NULL,
  billing_frequency text           CHECK (billing_frequency IN ('WEEKLY', 'MONTHLY')),
  -- Cycles are counted from here; the open one lies between the two below it.
  cycle_anchor      timestamptz,
  cycle_start       timestamptz,
  cycle_end         timestamptz,
  cycle_credits     bigint         NOT NULL DEFAULT 0,
  balance           bigint         NOT NULL DEFAULT 0,
  version           bigint         NOT NULL DEFAULT 0,
  is_low            boolean        NOT NULL DEFAULT false,
  -- The organization's own time of its last change: an older one never overwrites a newer.
  plan_updated_at   timestamptz    NOT NULL,
  CHECK (billing_type <> 'POSTPAID' OR (cycle_anchor IS NOT NULL AND cycle_start IS NOT NULL AND cycle_end IS NOT NULL))
);
CREATE INDEX accounts_cycle_end ON accounts (cycle_end) WHERE billing_type = 'POSTPAID';

-- Double entry: each row moves `credits` (positive) from the debited to the credited account.
CREATE TABLE ledger_entries (
  entry_id          uuid           PRIMARY KEY,
  position          bigint         GENERATED ALWAYS AS IDENTITY,
  organization_id   text           NOT NULL,
  kind              text           NOT NULL CHECK (kind IN ('OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT')),
  debit_account     text           NOT NULL,
  credit_account    text           NOT NULL,
  credits           bigint         NOT NULL CHECK (credits > 0),
  credit_rate       numeric(18, 6) NOT NULL,
  currency          text           NOT NULL,
  cycle_start       timestamptz,
  recorded_at       timestamptz    NOT NULL,
  reference         text,
  note              text,
  sid               text,
  room_id           text,
  meter_sequence    integer,
  meter_version     bigint,
  total_seconds     bigint,
  charged_through   timestamptz,
  corrects_entry_id uuid,
  CHECK (debit_account <> credit_account),
  CHECK ((sid IS NULL) = (meter_sequence IS NULL))
);
COMMENT ON TABLE ledger_entries IS 'append-only: what was posted stays; a mistake is mended by another entry';
CREATE UNIQUE INDEX ledger_meter_once ON ledger_entries (sid, meter_sequence) WHERE sid IS NOT NULL;
CREATE UNIQUE INDEX ledger_reference_once ON ledger_entries (organization_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX ledger_newest ON ledger_entries (organization_id, position DESC);
CREATE INDEX ledger_cycle ON ledger_entries (organization_id, cycle_start) WHERE cycle_start IS NOT NULL;

-- What a room has been charged so far, and how far the room is known. Locked by whoever folds or charges.
CREATE TABLE room_meters (
  sid               text        PRIMARY KEY,
  organization_id   text        NOT NULL,
  room_id           text        NOT NULL,
  title             text        NOT NULL,
  started_at        timestamptz,
  ended_at          timestamptz,
  charged_credits   bigint      NOT NULL DEFAULT 0,
  sequence          integer     NOT NULL DEFAULT 0,
  last_entry_id     uuid,
  folded_version    bigint      NOT NULL DEFAULT 0,
  verified_at       timestamptz,
  -- connection sid → second (since 1970) at which an open connection was last seen, where that is before verified_at.
  unseen            jsonb       NOT NULL DEFAULT '{}',
  -- What the room itself came to at its end: the final charge waits until the fold agrees.
  -- Agreement is as many sessions with the same sum of versions: each then is at the version the room meant.
  final_connections integer,
  final_version_sum bigint,
  final_version     bigint,
  finished_at       timestamptz,
  settled_at        timestamptz,
  due_at            timestamptz
);
CREATE INDEX room_meters_due ON room_meters (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX room_meters_due_by_organization ON room_meters (organization_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX room_meters_unsettled ON room_meters (finished_at) WHERE finished_at IS NOT NULL AND settled_at IS NULL;
-- Rooms that should be heard of every few seconds and have not been: their end may have been lost on the way.
CREATE INDEX room_meters_unheard ON room_meters (verified_at) WHERE finished_at IS NULL AND verified_at IS NOT NULL;
CREATE INDEX room_meters_started ON room_meters (organization_id, started_at);
CREATE UNIQUE INDEX room_meters_room ON room_meters (organization_id, room_id);

-- One connection of one participant: the fold of its intervals by the highest version.
CREATE TABLE sessions (
  connection_sid  text        PRIMARY KEY,
  sid             text        NOT NULL,
  organization_id text        NOT NULL,
  uid             text        NOT NULL,
  name            text        NOT NULL,
  role            text        NOT NULL,
  ip              text,
  joined_at       timestamptz NOT NULL,
  left_at         timestamptz,
  opened_by       text        NOT NULL,
  closed_by       text,
  version         bigint      NOT NULL,
  CHECK (left_at >= joined_at)
);
CREATE INDEX sessions_by_participant ON sessions (organization_id, uid, joined_at DESC, connection_sid DESC);
CREATE INDEX sessions_by_room ON sessions (sid, uid);

CREATE TABLE statements (
  statement_id    uuid           PRIMARY KEY,
  organization_id text           NOT NULL,
  cycle_start     timestamptz    NOT NULL,
  cycle_end       timestamptz    NOT NULL,
  credits         bigint         NOT NULL,
  amount          numeric(20, 6) NOT NULL,
  currency        text           NOT NULL,
  classrooms      integer        NOT NULL,
  closed_at       timestamptz    NOT NULL,
  UNIQUE (organization_id, cycle_start)
);
COMMENT ON TABLE statements IS 'append-only: a closed statement never changes';
