// Years of sessions. Postgres itself generates them in the real tables, in the order in which they would have been written.
import { CYCLE_DAYS, daysAgo, type BenchStack } from './stack.ts';

/** The measured organization's value of VF-ORG-ID. */
export const ORGANIZATION = 'bench';
export const PARTICIPANT = 'measured-participant';
export const SESSIONS_OF_PARTICIPANT = 200;
const ROOMS_OF_PARTICIPANT = 20;
export const ROOM = 'measured-room';
export const ATTENDEES = 40;
const SESSIONS_IN_ROOM = 80;
const CLASSES_IN_CYCLE = 300;
const SESSIONS_PER_ROOM = 50;
export const FROM = daysAgo(3 * 365);
export const TO = daysAgo(CYCLE_DAYS + 2);
export const EXPORTED = 'exported-participant';

/** A thousand organizations of very different sizes. The measured one is the largest, with a tenth of all sessions. */
const organizationOf = (measured: string, room: string) =>
  `(SELECT CASE WHEN o = 0 THEN '${measured}' ELSE 'org-' || o END FROM (SELECT floor(1000 * power((${room} * 7919::int8 % 1000003) / 1000003.0::float8, 3))::int) AS t(o))`;
const sidOf = (room: string) => `'RM_' || substr(md5('room' || ${room}), 1, 16)`;

/**
 * Empties both tables and fills them: rooms have between one and many sessions, and so do participants. The sessions of the measured
 * participant are distributed over all years. Those of the measured room belong to one class.
 * @param organizationId the measured organization
 * @param measuredSid sid of `ROOM`
 */
export async function makeHistory(bench: BenchStack, sessions: number, organizationId: string, measuredSid: string) {
  const rooms = sessions / SESSIONS_PER_ROOM;
  const span = `interval '${Math.round((TO.getTime() - FROM.getTime()) / 1000)} seconds'`;
  await bench.sql(`SET maintenance_work_mem = '512MB'`);
  await bench.sql('TRUNCATE billing.room_meters');
  await bench.sql(
    `INSERT INTO billing.room_meters (sid, organization_id, room_id, title, started_at, ended_at)
     SELECT ${sidOf('r')}, ${organizationOf(organizationId, 'r')}, 'room-' || r, 'History, part ' || r, at, at + interval '1 hour'
       FROM generate_series(0, $1::int - 1) AS r, LATERAL (SELECT $2::timestamptz + ${span} * (r::float8 / $1)) AS t(at)`,
    [rooms, FROM],
  );
  // The event of the measured room may have arrived before this insert.
  await bench.sql(
    `INSERT INTO billing.room_meters (sid, organization_id, room_id, title, started_at)
     SELECT 'RM_cycle' || r, '${organizationId}', 'cycle-' || r, 'This month', $1::timestamptz + interval '1 minute' * r FROM generate_series(1, ${CLASSES_IN_CYCLE}) AS r
     UNION ALL SELECT 'RM_own' || r, '${organizationId}', 'own-' || r, 'Geometry, again', $2 FROM generate_series(0, ${ROOMS_OF_PARTICIPANT - 1}) AS r
     UNION ALL SELECT $3, '${organizationId}', '${ROOM}', 'The measured class', $2
     ON CONFLICT DO NOTHING`,
    [daysAgo(CYCLE_DAYS - 1), FROM, measuredSid],
  );
  await beginMonths(bench);
  await emptyAndLoad(bench, 'sessions_by_month', () =>
    bench.sql(
      `INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, version, month)
       SELECT 'PA_' || substr(md5(i::text), 1, 12),
              CASE WHEN own THEN 'RM_own' || (i / own_step % ${ROOMS_OF_PARTICIPANT}) WHEN inside THEN $3 ELSE ${sidOf('room')} END,
              CASE WHEN own OR inside THEN '${organizationId}' ELSE ${organizationOf(organizationId, 'room')} END,
              CASE WHEN own THEN '${PARTICIPANT}' WHEN inside THEN 'attendee-' || (i / 10 % ${ATTENDEES}) ELSE 'student-' || person END,
              'Student ' || person, 'STUDENT', NULL, at, at + interval '1 second' * (60 + i * 31 % 3541), 'webhook', 'webhook', i % 97,
              billing.session_month(at)
         FROM (SELECT i, i % own_step = 7 AS own, i / 10 BETWEEN $1 / 20 AND $1 / 20 + ${SESSIONS_IN_ROOM - 1} AND i % 10 = 3 AS inside, own_step,
                      floor($4 * power(random(), 1.5))::int8 AS room, floor(5000 * power(random(), 2))::int AS person,
                      date_trunc('second', $2::timestamptz + ${span} * (i::float8 / $1)) AS at
                 FROM generate_series(0, $1::int8 - 1) AS i, (SELECT $1 / ${SESSIONS_OF_PARTICIPANT} AS own_step) AS step) AS made`,
      [sessions, FROM, measuredSid, rooms],
    ),
  );
  // Otherwise autovacuum would run during a measurement.
  await bench.sql('VACUUM (ANALYZE) billing.sessions_by_month');
  await bench.sql('VACUUM (ANALYZE) billing.room_meters');
  await bench.sql('CHECKPOINT');
}

/** The partitions of an installation that began with the history: a month each. */
async function beginMonths(bench: BenchStack) {
  const first = `${FROM.toISOString().slice(0, 7)}-01`;
  await bench.sql(
    `CREATE OR REPLACE FUNCTION billing.session_month(joined_at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
       RETURN CASE WHEN joined_at < '${first}T00:00:00Z'::timestamptz THEN DATE '1970-01-01' ELSE date_trunc('month', joined_at AT TIME ZONE 'UTC')::date END`,
  );
  await bench.sql(
    `SELECT billing.add_sessions_month(month::date) FROM generate_series($1::date, now()::date, interval '1 month') AS month`,
    [first],
  );
}

/** Adds the sessions of one participant for the file, among those of all others. */
export async function makeExport(bench: BenchStack, organizationId: string, rows: number) {
  const span = `interval '${Math.round((TO.getTime() - FROM.getTime()) / 1000)} seconds'`;
  await bench.sql(
    `INSERT INTO billing.room_meters (sid, organization_id, room_id, title, started_at)
     SELECT 'RM_file' || r, '${organizationId}', 'file-' || r, 'Chemistry, group ' || r, $1 FROM generate_series(0, 1999) AS r ON CONFLICT DO NOTHING`,
    [FROM],
  );
  await bench.sql(
    `INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, version, month)
     SELECT 'PA_' || substr(md5('file' || i), 1, 12), 'RM_file' || (i / 3 % 2000), '${organizationId}', '${EXPORTED}', 'Ada Lovelace', 'STUDENT',
            '10.' || i % 200 || '.' || i % 199 || '.7', at, at + interval '1 second' * (60 + i * 31 % 3541), 'webhook', 'webhook', i % 97,
            billing.session_month(at)
       FROM generate_series(0, $1::int8 - 1) AS i, LATERAL (SELECT date_trunc('second', $2::timestamptz + ${span} * (i::float8 / $1))) AS t(at)`,
    [rows, FROM],
  );
  await bench.sql('VACUUM (ANALYZE) billing.sessions_by_month');
  await bench.sql('CHECKPOINT');
}

/** Empties, fills and indexes a table in one transaction: then the rows need no write-ahead log, and no index grows row by row. */
async function emptyAndLoad(bench: BenchStack, table: string, load: () => Promise<unknown>) {
  await bench.sql('BEGIN');
  await bench.sql(`TRUNCATE billing.${table}`);
  const keys = await bench.sql(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
    [`billing.${table}`],
  );
  for (const { name } of keys) await bench.sql(`ALTER TABLE billing.${table} DROP CONSTRAINT ${name}`);
  const indexes = await bench.sql(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'billing' AND tablename = $1`,
    [table],
  );
  for (const { name } of indexes) await bench.sql(`DROP INDEX billing.${name}`);
  await load();
  for (const { name, definition } of keys) await bench.sql(`ALTER TABLE billing.${table} ADD CONSTRAINT ${name} ${definition}`);
  // On the partitions, too.
  for (const { definition } of indexes) await bench.sql(definition.replace(' ON ONLY ', ' ON '));
  await bench.sql('COMMIT');
}
