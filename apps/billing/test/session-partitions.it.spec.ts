import { randomUUID } from 'node:crypto';
import { participantConnection, roomCheckpoint, roomFinished } from '@classroom/contracts';
import { envelopeOf, expectLedgerInvariants } from '@classroom/testing';
import type { Database } from '@classroom/persistence';
import { SessionsRepository } from '../src/metering/sessions.repository.js';
import { PostgresSessionsRepository } from '../src/reports/postgres-sessions.repository.js';
import type { Position, SessionChunk } from '../src/reports/sessions-store.js';
import { BillingFixture } from './support/billing-fixture.js';

const HOUR_MS = 3_600_000;
const COLUMNS = 'connection_sid, sid, organization_id, uid, name, role, joined_at, opened_by, version';

let fixture: BillingFixture;
/** The first instant of the month after the next one. Its partition exists from the beginning. */
let border: number;
beforeAll(async () => {
  fixture = await BillingFixture.start();
  const now = new Date();
  border = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
});
afterAll(() => fixture?.stop());

const partitions = () =>
  fixture.stack.rows<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'billing.sessions_by_month'::regclass ORDER BY 1`,
  );
const partitionsOf = (sid: string) =>
  fixture.stack.rows<{ name: string; count: number }>(
    `SELECT tableoid::regclass::text AS name, count(*)::int AS count FROM billing.sessions_by_month WHERE sid = $1 GROUP BY 1 ORDER BY 1`,
    [sid],
  );
const nameOf = (time: number) => `billing.sessions_${new Date(time).toISOString().slice(0, 7).replace('-', '_')}`;

/** A class that lasts from an hour before to an hour after `at`: Ada is present all the time, Bob in the second hour. */
async function classAround(at: number) {
  fixture.clock.at = at + HOUR_MS;
  const { organizationId, accountId } = await fixture.organization();
  const sid = `RM_${randomUUID()}`;
  const room = { organizationId, sid, roomId: `room-of-${sid}` };
  const iso = (hours: number) => new Date(at + hours * HOUR_MS).toISOString();
  const session = (uid: string, from: number, to: number | null, version: number) =>
    envelopeOf(participantConnection, sid, {
      ...room,
      connectionSid: `PA_${sid}_${uid}`,
      uid,
      name: uid,
      role: 'STUDENT',
      ip: null,
      joinedAt: iso(from),
      leftAt: to === null ? null : iso(to),
      openedBy: 'webhook',
      closedBy: to === null ? null : 'webhook',
      version,
    });
  await fixture.foldAll([session('ada', -1, null, 1), session('bob', 0, null, 2)]);
  await fixture.fold(envelopeOf(roomCheckpoint, sid, { ...room, version: 2, verifiedAt: iso(1), unseen: [] }));
  return { organizationId, accountId, sid, room, iso, session };
}

describe('the partitions of sessions', () => {
  it('divide a class at the end of a month, which is charged once and settled', async () => {
    const { organizationId, accountId, sid, room, iso, session } = await classAround(border);
    expect(await partitionsOf(sid)).toEqual([
      { name: nameOf(border - 1), count: 1 },
      { name: nameOf(border), count: 1 },
    ]);
    fixture.clock.at += 61_000;
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 180, isSettled: false });
    await fixture.foldAll([session('ada', -1, 1, 3), session('bob', 0, 1, 4)]);
    const totals = { connections: 2, totalSeconds: 3 * 3_600, versionSum: 7, lastVersion: 4 };
    await fixture.fold(
      envelopeOf(roomFinished, sid, { ...room, title: 'A class', startedAt: iso(-1), endedAt: iso(1), reason: 'deleted', ...totals }),
    );
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 180, isSettled: true });
    const [entry] = await fixture.ledger.page(organizationId, {}, 1);
    expect(entry).toMatchObject({ totalSeconds: 3 * 3_600 });
    expect(await fixture.sessions.sumSecondsThrough(sid, null)).toBe(3 * 3_600);
    expect(await fixture.audit()).toEqual([]);
    await expectLedgerInvariants(fixture.stack);
  });

  it('are read for the days of a report only, and the report is complete', async () => {
    const { organizationId, sid } = await classAround(border);
    const store = new PostgresSessionsRepository(fixture.database);
    const filter = { organizationId, sid: null, now: fixture.clock.now() };
    const sessions = async (uid: string, from: number, to: number) =>
      (await store.page({ ...filter, uid, from: new Date(from), to: new Date(to) }, 10, 0)).map((row) => row.sid);
    expect(await sessions('ada', border - 2 * HOUR_MS, border + 2 * HOUR_MS)).toEqual([sid]);
    expect(await sessions('ada', border, border + 2 * HOUR_MS)).toEqual([]);
    expect(await sessions('bob', border, border + 1)).toEqual([sid]);
    expect(await sessions('bob', 0, border)).toEqual([]);
    const attendees = await store.listAttendees({ organizationId, sid }, fixture.clock.now(), '', null);
    expect(attendees.map(({ uid }) => uid)).toEqual(['ada', 'bob']);
    const plan = await fixture.stack.rows<Record<string, string>>(
      `EXPLAIN SELECT 1 FROM billing.sessions_by_month WHERE month BETWEEN billing.session_month(to_timestamp(${border / 1000})) AND billing.session_month(to_timestamp(${border / 1000 + 3_600}))`,
    );
    const scanned = plan.flatMap((row) => /on (sessions\w*)/.exec(Object.values(row)[0] ?? '')?.slice(1) ?? []);
    expect(scanned.map((name) => `billing.${name}`)).toEqual([nameOf(border)]);
  });

  it('are exported in chunks that Postgres plans, however many a connection has read', async () => {
    const { organizationId, sid } = await classAround(border);
    const months = Array.from({ length: 4 }, (_, n) => Date.UTC(new Date(border).getUTCFullYear(), new Date(border).getUTCMonth() + n));
    await new SessionsRepository(fixture.database).addPartitions(months.map((at) => ({ joinedAt: new Date(at).toISOString() })));
    const sessions = 40_000;
    await fixture.stack.rows(
      `INSERT INTO billing.sessions_by_month (${COLUMNS}, left_at, month)
       SELECT 'PA_' || n, $1, $2, CASE WHEN n % 2 = 0 THEN 'exported' ELSE 'student-' || n END, 'Exported', 'STUDENT', at, 'webhook', n,
              at + interval '1 minute', billing.session_month(at)
         FROM generate_series(1, $3::int * 2) AS n CROSS JOIN LATERAL (SELECT to_timestamp($4) + n * interval '2 minutes' AS at) times`,
      [sid, organizationId, sessions, border / 1_000],
    );
    await fixture.stack.rows('ANALYZE billing.sessions_by_month');
    const read = await fixture.database.transaction(async (tx) => {
      // The same statements on one connection.
      const store = new PostgresSessionsRepository(tx as unknown as Database);
      const filter = {
        organizationId,
        uid: 'exported',
        sid: null,
        now: new Date(),
        from: new Date(border),
        to: new Date(border + 200 * 86_400_000),
      };
      let [chunks, found] = [0, 0];
      let position: Position | null = { joinedAt: filter.to.getTime() * 1_000, connectionSid: '' };
      while (position) {
        const chunk: SessionChunk = await store.readChunk(filter, position);
        [chunks, found, position] = [chunks + 1, found + chunk.decode().sids.length, chunk.next];
      }
      const [{ generic }] = (await tx.manager.query(
        `SELECT coalesce(sum(generic_plans), 0)::int AS generic FROM pg_prepared_statements WHERE name LIKE 'postgres-sessions.%'`,
      )) as [{ generic: number }];
      return { chunks, sessions: found, generic };
    });
    // After five executions Postgres would use one plan for all parameters, which sorts the sessions of all months for each chunk.
    expect(read.chunks).toBeGreaterThan(6);
    expect(read).toMatchObject({ sessions, generic: 0 });
  });

  it('are added once by processes that need the same month at the same time', async () => {
    const far = Date.UTC(new Date(border).getUTCFullYear() + 3, 5, 15);
    const before = await partitions();
    const processes = Array.from({ length: 6 }, () => new SessionsRepository(fixture.database));
    await Promise.all(processes.map((sessions) => sessions.addPartitions([{ joinedAt: new Date(far).toISOString() }])));
    expect((await partitions()).map(({ name }) => name)).toEqual([...before.map(({ name }) => name), nameOf(far)].sort());
  });

  it('keep sessions from before the installation in a partition of their own', async () => {
    const sid = await fixture.lesson((await fixture.organization()).organizationId, Date.UTC(2026, 2, 1), 60);
    expect(await partitionsOf(sid)).toEqual([{ name: 'billing.sessions_before', count: 1 }]);
  });
});
