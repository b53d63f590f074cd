-- One organization's credits. `balance` and `cycle_credits` are projections of the ledger, kept in its transactions.
CREATE TABLE accounts (
  organization_id   text PRIMARY KEY,
  -- What jobs carry: the organization's id is a secret.
  account_id        uuid NOT NULL UNIQUE,
  billing_type      text NOT NULL,
  credit_rate       numeric(18,6) NOT NULL,
  currency          text NOT NULL,
  billing_frequency text,
  -- Cycles are counted from here; the open one lies between the two below it.
  cycle_anchor      timestamptz,
  cycle_start       timestamptz,
  cycle_end         timestamptz,
  cycle_credits     bigint NOT NULL DEFAULT 0,
  balance           bigint NOT NULL DEFAULT 0,
  version           bigint NOT NULL DEFAULT 0,
  is_low            boolean NOT NULL DEFAULT false,
  -- The organization's own time of its last change: an older one never overwrites a newer.
  plan_updated_at   timestamptz NOT NULL,
  -- Thresholds of the organization's own: {"remaining": [credits, …], "consumed": [credits, …]}. Null: none.
  alerts            json,
  CHECK (billing_frequency IN ('WEEKLY', 'MONTHLY')),
  CHECK (billing_type IN ('PREPAID', 'POSTPAID')),
  CHECK (billing_type <> 'POSTPAID' OR (cycle_anchor IS NOT NULL AND cycle_start IS NOT NULL AND cycle_end IS NOT NULL))
);
CREATE INDEX accounts_cycle_end ON accounts (cycle_end) WHERE billing_type = 'POSTPAID';

-- What an organization's use of AI came to in credits, with all decimals, and what of it was charged in whole ones.
CREATE TABLE ai_meters (
  organization_id text PRIMARY KEY,
  used            numeric(24,9) NOT NULL DEFAULT 0,
  charged_credits bigint NOT NULL DEFAULT 0,
  sequence        integer NOT NULL DEFAULT 0
);

-- The AI usage behind the entries of kind AI_USAGE: the entry with the same `ai_sequence` charges it.
CREATE TABLE ai_usages (
  organization_id text NOT NULL,
  usage_id        text NOT NULL,
  ai_sequence     integer NOT NULL,
  sid             text,
  kind            text NOT NULL,
  input_tokens    bigint NOT NULL,
  output_tokens   bigint NOT NULL,
  credits         numeric(24,9) NOT NULL,
  -- All usage of the organization up to this one.
  total           numeric(24,9) NOT NULL,
  used_at         timestamptz NOT NULL,
  PRIMARY KEY (organization_id, usage_id)
);
CREATE INDEX ai_usages_by_entry ON ai_usages (organization_id, ai_sequence, total);
COMMENT ON TABLE ai_usages IS 'append-only: it explains entries of the ledger';

-- The shares of budgets that were published. The key decides that each is published once.
CREATE TABLE budget_warnings (
  organization_id text NOT NULL,
  sid             text NOT NULL,
  percent         smallint NOT NULL,
  reached_at      timestamptz NOT NULL,
  -- The budget by which the share was published last, and whether an earlier one was used up already.
  budget_version  integer NOT NULL DEFAULT 0,
  is_repeated     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, sid, percent)
);

-- What the entries of an organization's open cycle add up to, as far as `position`. Its statement adds newer entries only.
CREATE TABLE cycle_sums (
  organization_id text PRIMARY KEY,
  cycle_start     timestamptz NOT NULL,
  position        bigint NOT NULL,
  credits         bigint NOT NULL,
  amount          numeric(20,6) NOT NULL
);

-- How far the ends that the room service has written are known here, whatever facts came of them.
CREATE TABLE finished_rooms (
  is_only boolean PRIMARY KEY DEFAULT true,
  through timestamptz NOT NULL,
  CHECK (is_only)
);

-- The audit's state, one row: the process that runs the rounds, the end of the last full round, and how far settled rooms are proved.
CREATE TABLE ledger_audit (
  is_only      boolean PRIMARY KEY DEFAULT true,
  holder       uuid,
  held_until   timestamptz NOT NULL DEFAULT '-infinity',
  completed_at timestamptz NOT NULL,
  settled_at   timestamptz NOT NULL DEFAULT '-infinity',
  sid          text NOT NULL DEFAULT '',
  CHECK (is_only)
);
INSERT INTO ledger_audit (completed_at) VALUES (now());

-- What the ledger audit has proved so far: the sum of an organization's entries up to `position`. The next round reads newer entries only.
CREATE TABLE ledger_checkpoints (
  organization_id text PRIMARY KEY,
  position        bigint NOT NULL,
  balance         bigint NOT NULL
);

-- Accounts and rooms that do not add up, and with 0 credits those that could not be read. A row stays until a later audit finds that they add up.
CREATE TABLE ledger_differences (
  what     text NOT NULL,
  id       text NOT NULL,
  credits  double precision NOT NULL,
  found_at timestamptz NOT NULL,
  CHECK (what IN ('account', 'room')),
  PRIMARY KEY (what, id)
);

-- Double entry: each row moves `credits` (positive) from the debited to the credited account.
CREATE TABLE ledger_entries (
  entry_id          uuid NOT NULL,
  position          bigint GENERATED ALWAYS AS IDENTITY,
  organization_id   text NOT NULL,
  kind              text NOT NULL,
  debit_account     text NOT NULL,
  credit_account    text NOT NULL,
  credits           bigint NOT NULL,
  credit_rate       numeric(18,6) NOT NULL,
  currency          text NOT NULL,
  cycle_start       timestamptz,
  recorded_at       timestamptz NOT NULL,
  reference         text,
  note              text,
  sid               text,
  room_id           text,
  meter_sequence    integer,
  meter_version     bigint,
  total_seconds     bigint,
  charged_through   timestamptz,
  corrects_entry_id uuid,
  ai_sequence       integer,
  -- A correction that brought the balance to 0 when a plan ended names that plan.
  settles           text,
  CHECK (debit_account <> credit_account),
  CHECK ((sid IS NULL) = (meter_sequence IS NULL)),
  CHECK (credits > 0),
  CHECK (kind IN ('OPENING', 'TOP_UP', 'CORRECTION', 'CHARGE', 'ADJUSTMENT', 'AI_USAGE')),
  PRIMARY KEY (organization_id, entry_id)
);
CREATE UNIQUE INDEX ledger_ai_once ON ledger_entries (organization_id, ai_sequence) WHERE ai_sequence IS NOT NULL;
-- Nearly all entries are charges, which ledger_newest finds.
CREATE INDEX ledger_by_kind ON ledger_entries (organization_id, kind, position DESC) WHERE kind <> 'CHARGE';
CREATE INDEX ledger_cycle ON ledger_entries (organization_id, cycle_start) WHERE cycle_start IS NOT NULL;
CREATE UNIQUE INDEX ledger_meter_key ON ledger_entries (organization_id, sid, meter_sequence) WHERE sid IS NOT NULL;
CREATE INDEX ledger_newest ON ledger_entries (organization_id, position DESC);
CREATE UNIQUE INDEX ledger_reference_once ON ledger_entries (organization_id, reference) WHERE reference IS NOT NULL;
COMMENT ON TABLE ledger_entries IS 'append-only: what was posted stays, and another entry corrects it';

-- Every state of an organization's plan that was heard of, in whatever order: what was in force when.
CREATE TABLE plans (
  organization_id text NOT NULL,
  -- The organization's own time of the change.
  updated_at      timestamptz NOT NULL,
  billing_type    text NOT NULL,
  opening_credits bigint NOT NULL,
  credit_rate     numeric(18,6) NOT NULL,
  currency        text NOT NULL,
  -- The account's, once this state was taken.
  balance         bigint NOT NULL,
  -- Whether the opening credits of the period that it belongs to were posted with it.
  is_opened       boolean NOT NULL,
  CHECK (billing_type IN ('PREPAID', 'POSTPAID')),
  PRIMARY KEY (organization_id, updated_at)
);

-- What a room has been charged so far, and how far the room is known. Locked by whoever folds or charges.
CREATE TABLE room_meters (
  sid               text PRIMARY KEY,
  organization_id   text NOT NULL,
  room_id           text NOT NULL,
  title             text NOT NULL,
  started_at        timestamptz,
  ended_at          timestamptz,
  charged_credits   bigint NOT NULL DEFAULT 0,
  sequence          integer NOT NULL DEFAULT 0,
  last_entry_id     uuid,
  folded_version    bigint NOT NULL DEFAULT 0,
  verified_at       timestamptz,
  -- connection sid → second (since 1970) at which an open connection was last seen, where that is before verified_at.
  unseen            jsonb NOT NULL DEFAULT '{}',
  -- What the room itself came to at its end: the final charge waits until the fold agrees. Agreement is as many sessions with the same sum of
  -- versions: each then is at the version the room meant.
  final_connections integer,
  final_version_sum bigint,
  final_version     bigint,
  finished_at       timestamptz,
  settled_at        timestamptz,
  due_at            timestamptz,
  -- The trace in which a class ended: what settles it later points back to it.
  trace             text,
  -- Sums over a room's sessions: the minutely charge of a live room reads open sessions only.
  connections       bigint NOT NULL DEFAULT 0,
  version_sum       bigint NOT NULL DEFAULT 0,
  closed_seconds    numeric NOT NULL DEFAULT 0,
  -- {"maxCredits": …, "onReached": …}; null: none.
  budget            json,
  -- How often the budget was changed.
  budget_version    integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX room_meters_due ON room_meters (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX room_meters_due_by_organization ON room_meters (organization_id, due_at) WHERE due_at IS NOT NULL;
-- Settled meters of an organization in the order in which they were settled, for the end of their sessions' retention.
CREATE INDEX room_meters_expiring ON room_meters (organization_id, settled_at, sid) WHERE settled_at IS NOT NULL;
-- The key that remains when one Postgres is divided by organization.
CREATE UNIQUE INDEX room_meters_key ON room_meters (organization_id, sid);
CREATE UNIQUE INDEX room_meters_room ON room_meters (organization_id, room_id);
CREATE INDEX room_meters_settled ON room_meters (settled_at, sid) WHERE settled_at IS NOT NULL;
CREATE INDEX room_meters_started ON room_meters (organization_id, started_at);
-- Rooms that should be heard of every few seconds and have not been: their end may have been lost on the way.
CREATE INDEX room_meters_unheard ON room_meters (verified_at) WHERE finished_at IS NULL AND verified_at IS NOT NULL;
CREATE INDEX room_meters_unsettled ON room_meters (finished_at) WHERE finished_at IS NOT NULL AND settled_at IS NULL;
CREATE INDEX room_meters_unsettled_by_organization ON room_meters (organization_id, started_at, sid) WHERE settled_at IS NULL;

-- One connection of one participant: the fold of its intervals by the highest version. By the month (UTC) of the join.
CREATE TABLE sessions_by_month (
  connection_sid  text NOT NULL,
  sid             text NOT NULL,
  organization_id text NOT NULL,
  uid             text NOT NULL,
  name            text NOT NULL,
  role            text NOT NULL,
  ip              text,
  joined_at       timestamptz NOT NULL,
  left_at         timestamptz,
  opened_by       text NOT NULL,
  closed_by       text,
  version         bigint NOT NULL,
  -- The meter's verified_at when the session was first received: that list did not show it, so it counts from the next list on.
  behind          timestamptz,
  month           date NOT NULL,
  CHECK (left_at >= joined_at)
) PARTITION BY LIST (month);
CREATE INDEX sessions_by_month_end ON sessions_by_month (sid, left_at);
CREATE UNIQUE INDEX sessions_by_month_key ON sessions_by_month (connection_sid, organization_id, month);
CREATE INDEX sessions_by_month_participant ON sessions_by_month (organization_id, uid, joined_at DESC, connection_sid DESC);
CREATE INDEX sessions_by_month_room ON sessions_by_month (sid, uid);

-- The partition of a session: the month (UTC) of its join, as its first day, which never changes. What is older than the installation is in the first
-- one.
DO $$ BEGIN
  EXECUTE format($f$
    CREATE FUNCTION session_month(joined_at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN joined_at < %L::timestamptz THEN DATE '1970-01-01' ELSE date_trunc('month', joined_at AT TIME ZONE 'UTC')::date END $f$,
    date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC');
END $$;
CREATE TABLE sessions_before PARTITION OF sessions_by_month FOR VALUES IN ('1970-01-01');

-- The service calls it before the first session of a month. It runs as the owner of the tables, because the service's role may create none.
CREATE FUNCTION add_sessions_month(wanted date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
DECLARE
  partition text := 'sessions_' || to_char(wanted, 'YYYY_MM');
BEGIN
  IF wanted <> session_month(wanted::timestamp AT TIME ZONE 'UTC') OR wanted = DATE '1970-01-01' THEN RETURN; END IF;
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  -- Of two processes, the second one finds the partition. Reading and writing sessions continues.
  LOCK TABLE sessions_by_month IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE sessions_by_month INCLUDING ALL)', partition);
  EXECUTE format('ALTER TABLE sessions_by_month ATTACH PARTITION %I FOR VALUES IN (%L)', partition, wanted);
END $$;

CREATE FUNCTION session_seconds(joined_at timestamptz, left_at timestamptz) RETURNS numeric LANGUAGE sql IMMUTABLE
  RETURN coalesce(greatest(0, floor(extract(epoch FROM left_at)) - extract(epoch FROM joined_at)), 0);

-- Whoever writes a session has the meter locked.
CREATE FUNCTION sum_new_sessions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE room_meters m
     SET connections = m.connections + d.connections, version_sum = m.version_sum + d.version_sum, closed_seconds = m.closed_seconds + d.seconds
    FROM (SELECT sid, count(*) AS connections, sum(version) AS version_sum, sum(session_seconds(joined_at, left_at)) AS seconds
            FROM new_sessions GROUP BY sid) d
   WHERE m.sid = d.sid;
  RETURN NULL;
END $$;

CREATE FUNCTION sum_changed_sessions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE room_meters m
     SET version_sum = m.version_sum + d.version_sum, closed_seconds = m.closed_seconds + d.seconds
    FROM (SELECT sid, sum(n.version - o.version) AS version_sum,
                 sum(session_seconds(n.joined_at, n.left_at) - session_seconds(o.joined_at, o.left_at)) AS seconds
            FROM new_sessions n JOIN old_sessions o USING (sid, connection_sid) GROUP BY sid) d
   WHERE m.sid = d.sid;
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_inserted AFTER INSERT ON sessions_by_month REFERENCING NEW TABLE AS new_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sum_new_sessions();
CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions_by_month REFERENCING OLD TABLE AS old_sessions NEW TABLE AS new_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sum_changed_sessions();

-- Classes whose sessions were changed by retention or an erasure, until their copy in ClickHouse is replaced. An empty sid: all of the organization.
CREATE TABLE stale_copies (
  organization_id text NOT NULL,
  sid             text NOT NULL,
  -- Rises with each change.
  mark            bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (organization_id, sid)
);

CREATE TABLE statements (
  statement_id    uuid NOT NULL,
  organization_id text NOT NULL,
  cycle_start     timestamptz NOT NULL,
  cycle_end       timestamptz NOT NULL,
  credits         bigint NOT NULL,
  amount          numeric(20,6) NOT NULL,
  currency        text NOT NULL,
  classrooms      integer NOT NULL,
  closed_at       timestamptz NOT NULL,
  UNIQUE (organization_id, cycle_start),
  PRIMARY KEY (organization_id, statement_id)
);
COMMENT ON TABLE statements IS 'append-only: a closed statement never changes';

-- The ledger is append-only for the service's role. Through this function it can replace the ids that an erased organization gave its classes.
CREATE FUNCTION erase_ledger_rooms(erased text, sids text[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE ledger_entries SET room_id = sid WHERE organization_id = erased AND sid = ANY (sids) AND room_id <> sid;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END $$;

-- Quoted where it holds a space, comma, quote or line break, defused where a spreadsheet would take it for a formula.
CREATE FUNCTION csv_cell(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[=+@\t\r-]'
              THEN CASE WHEN value ~ '[ ,"\r\n]' THEN '"''' || replace(value, '"', '""') || '"' ELSE '''' || value END
              WHEN value ~ '[ ,"\r\n]' THEN '"' || replace(value, '"', '""') || '"'
              ELSE value END
$$;

-- Minutes with two decimals. to_char(numeric) is only stable, which kept an immutable function from being inlined.
CREATE FUNCTION csv_minutes(seconds numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT round(seconds / 60, 2)::text
$$;

-- Whole seconds, which LiveKit's are, without to_char: half the time.
CREATE FUNCTION csv_instant(instant timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN instant IS NULL THEN ''
              WHEN date_trunc('second', instant) = instant THEN replace((instant AT TIME ZONE 'UTC')::text, ' ', 'T') || '.000Z'
              ELSE to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END
$$;
