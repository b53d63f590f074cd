-- Sessions by the month (UTC) of their join. The table of the last release becomes the partition of everything before, and that release
-- continues to read and write it.
CREATE TABLE sessions_by_month (
  connection_sid  text        NOT NULL,
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
  behind          timestamptz,
  month           date        NOT NULL DEFAULT '1970-01-01',
  CONSTRAINT sessions_check CHECK (left_at >= joined_at)
) PARTITION BY LIST (month);
CREATE UNIQUE INDEX sessions_by_month_key ON sessions_by_month (connection_sid, organization_id, month);
CREATE INDEX sessions_by_month_participant ON sessions_by_month (organization_id, uid, joined_at DESC, connection_sid DESC);
CREATE INDEX sessions_by_month_room ON sessions_by_month (sid, uid);
CREATE INDEX sessions_by_month_end ON sessions_by_month (sid, left_at);
ALTER TABLE sessions_by_month ATTACH PARTITION sessions FOR VALUES IN ('1970-01-01');

-- A session's partition. Joins never change, so neither does the partition. An installation that has data begins with the month after the next one:
-- until then the last release may run next to this one, and after a rollback alone.
CREATE FUNCTION define_session_month(first_month timestamp) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($f$
    CREATE FUNCTION session_month(joined_at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN joined_at < %L::timestamptz THEN DATE '1970-01-01' ELSE date_trunc('month', joined_at AT TIME ZONE 'UTC')::date END $f$,
    first_month AT TIME ZONE 'UTC');
END $$;
SELECT define_session_month(date_trunc('month', now() AT TIME ZONE 'UTC' + CASE WHEN EXISTS (SELECT FROM accounts) THEN interval '2 months' ELSE interval '0' END));
DROP FUNCTION define_session_month;

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

-- The sums over a room's sessions, whichever table a statement names.
CREATE TRIGGER sessions_inserted AFTER INSERT ON sessions_by_month REFERENCING NEW TABLE AS new_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sum_new_sessions();
CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions_by_month REFERENCING OLD TABLE AS old_sessions NEW TABLE AS new_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sum_changed_sessions();

-- If the last release still runs when the months begin, it cannot fold sessions: it waits, as for a database that starts, until this release does it.
CREATE FUNCTION refuse_session_of_month() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'this session belongs to a partition that this release does not know' USING ERRCODE = 'cannot_connect_now';
END $$;
CREATE TRIGGER sessions_refused BEFORE INSERT ON sessions FOR EACH ROW WHEN (session_month(NEW.joined_at) <> NEW.month)
  EXECUTE FUNCTION refuse_session_of_month();
