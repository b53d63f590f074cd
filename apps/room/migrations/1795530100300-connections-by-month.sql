-- Connections by the month (UTC) in which their room was created, so that all connections of a room are in one partition. The table of the last
-- release becomes the partition of everything before, and that release continues to read and write it.
CREATE TABLE connections_by_month (
  connection_sid text        NOT NULL,
  sid            text        NOT NULL,
  uid            text        NOT NULL,
  name           text        NOT NULL,
  role           text        NOT NULL,
  ip             text,
  joined_at      timestamptz NOT NULL,
  left_at        timestamptz,
  opened_by      text        NOT NULL,
  closed_by      text,
  is_final       boolean     NOT NULL DEFAULT false,
  is_counted     boolean     NOT NULL DEFAULT true,
  missing_since  timestamptz,
  version        bigint      NOT NULL,
  month          date        NOT NULL DEFAULT '1970-01-01',
  CONSTRAINT connections_check CHECK (left_at >= joined_at)
) PARTITION BY LIST (month);
CREATE UNIQUE INDEX connections_by_month_key ON connections_by_month (connection_sid, month);
CREATE INDEX connections_by_month_open ON connections_by_month (sid) WHERE left_at IS NULL;
CREATE INDEX connections_by_month_participant ON connections_by_month (sid, uid);
CREATE INDEX connections_by_month_end ON connections_by_month (sid, left_at) WHERE is_counted;
ALTER TABLE connections_by_month ATTACH PARTITION connections FOR VALUES IN ('1970-01-01');

-- The partition of a room's connections. An installation that has data begins with the month after the next one: until then the last release may run
-- next to this one, and after a rollback alone.
CREATE FUNCTION define_connection_month(first_month timestamp) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($f$
    CREATE FUNCTION connection_month(created_at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN created_at < %L::timestamptz THEN DATE '1970-01-01' ELSE date_trunc('month', created_at AT TIME ZONE 'UTC')::date END $f$,
    first_month AT TIME ZONE 'UTC');
END $$;
SELECT define_connection_month(date_trunc('month', now() AT TIME ZONE 'UTC' + CASE WHEN EXISTS (SELECT FROM rooms) THEN interval '2 months' ELSE interval '0' END));
DROP FUNCTION define_connection_month;

-- The service calls it before the first room of a month. It runs as the owner of the tables, because the service's role may create none.
CREATE FUNCTION add_connections_month(wanted date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
DECLARE
  partition text := 'connections_' || to_char(wanted, 'YYYY_MM');
BEGIN
  IF wanted <> connection_month(wanted::timestamp AT TIME ZONE 'UTC') OR wanted = DATE '1970-01-01' THEN RETURN; END IF;
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  -- Of two processes, the second one finds the partition. Reading and writing connections continues.
  LOCK TABLE connections_by_month IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE connections_by_month INCLUDING ALL)', partition);
  EXECUTE format('ALTER TABLE connections_by_month ATTACH PARTITION %I FOR VALUES IN (%L)', partition, wanted);
END $$;

-- If the last release still runs when the months begin, it cannot store connections of new rooms: it waits, as for a database that starts, until
-- this release does it.
CREATE FUNCTION refuse_connection_of_month() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM rooms WHERE sid = NEW.sid AND connection_month(created_at) <> NEW.month) THEN
    RAISE 'this connection belongs to a partition that this release does not know' USING ERRCODE = 'cannot_connect_now';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER connections_refused BEFORE INSERT ON connections FOR EACH ROW EXECUTE FUNCTION refuse_connection_of_month();
