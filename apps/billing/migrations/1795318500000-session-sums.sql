-- Sums over a room's sessions: the minutely charge of a live room reads open sessions only. Null: not summed yet.
ALTER TABLE room_meters ADD COLUMN connections bigint, ADD COLUMN version_sum bigint, ADD COLUMN closed_seconds numeric;
-- The meter's verified_at when the session was first heard of: that list did not show it, so it counts from the next list on.
ALTER TABLE sessions ADD COLUMN behind timestamptz;

CREATE FUNCTION session_seconds(joined_at timestamptz, left_at timestamptz) RETURNS numeric LANGUAGE sql IMMUTABLE
  RETURN coalesce(greatest(0, floor(extract(epoch FROM left_at)) - extract(epoch FROM joined_at)), 0);

-- Whoever writes a session has the meter locked. A trigger, so that a process of the last release keeps the sums too.
CREATE FUNCTION sum_new_sessions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE room_meters m
     SET connections = m.connections + d.connections, version_sum = m.version_sum + d.version_sum, closed_seconds = m.closed_seconds + d.seconds
    FROM (SELECT sid, count(*) AS connections, sum(version) AS version_sum, sum(session_seconds(joined_at, left_at)) AS seconds
            FROM new_sessions GROUP BY sid) d
   WHERE m.sid = d.sid AND m.connections IS NOT NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION sum_changed_sessions() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE room_meters m
     SET version_sum = m.version_sum + d.version_sum, closed_seconds = m.closed_seconds + d.seconds
    FROM (SELECT sid, sum(n.version - o.version) AS version_sum,
                 sum(session_seconds(n.joined_at, n.left_at) - session_seconds(o.joined_at, o.left_at)) AS seconds
            FROM new_sessions n JOIN old_sessions o USING (sid, connection_sid) GROUP BY sid) d
   WHERE m.sid = d.sid AND m.connections IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_inserted AFTER INSERT ON sessions REFERENCING NEW TABLE AS new_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sum_new_sessions();
CREATE TRIGGER sessions_updated AFTER UPDATE ON sessions REFERENCING OLD TABLE AS old_sessions NEW TABLE AS new_sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sum_changed_sessions();
