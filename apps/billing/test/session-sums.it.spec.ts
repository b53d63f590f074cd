import { randomUUID } from 'node:crypto';
import { participantConnection, roomCheckpoint, roomFinished } from '@classroom/contracts';
import { queryOf, type Transaction } from '@classroom/persistence';
import { envelopeOf, expectLedgerInvariants, rowsRead, sessionsOf } from '@classroom/testing';
import { METERS_PER_TRANSACTION } from '../src/metering/due-meters.repository.js';
import { BillingFixture } from './support/billing-fixture.js';

const CLOSED = 20_000;
const HOUR_S = 3_600;

describe('the sums over a room’s sessions', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  /** A room with two present participants and `CLOSED` who stayed for an hour each, verified two hours after its start. */
  async function busyRoom() {
    const { organizationId, accountId } = await fixture.organization(new Date(fixture.clock.at - 86_400_000));
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const start = Math.floor(fixture.clock.at / 1000) - 2 * HOUR_S;
    const iso = (second: number) => new Date((start + second) * 1000).toISOString();
    const session = (n: number, version: number, leftAt: string | null = null) =>
      envelopeOf(participantConnection, sid, {
        ...room,
        connectionSid: `PA_${sid}_${n}`,
        uid: `uid-${n}`,
        name: 'Ada',
        role: 'STUDENT',
        ip: null,
        joinedAt: iso(0),
        leftAt,
        openedBy: 'webhook',
        closedBy: leftAt && 'webhook',
        version,
      });
    await fixture.foldAll([session(1, 1), session(2, 2)]);
    await fixture.stack.rows(
      `INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, left_at, opened_by, closed_by, version, month)
       SELECT 'PA_' || $1 || '_' || n, $1, $2, 'uid-' || n, 'Ada', 'STUDENT', $3::timestamptz, $3::timestamptz + interval '1 hour', 'webhook', 'webhook', n, billing.session_month($3)
         FROM generate_series(3, ${CLOSED + 2}) n`,
      [sid, organizationId, iso(0)],
    );
    await fixture.fold(envelopeOf(roomCheckpoint, sid, { ...room, version: CLOSED + 2, verifiedAt: iso(2 * HOUR_S), unseen: [] }));
    await fixture.stack.rows('ANALYZE billing.sessions_by_month');
    return { accountId, organizationId, sid, room, iso, session };
  }

  /** The most rows that one statement of a charge reads: of a live room (`through` is null), or of one whose cycle ended at `through`. */
  async function mostRowsRead({ organizationId }: Awaited<ReturnType<typeof busyRoom>>, through: Date | null): Promise<number> {
    const counts: number[] = [];
    await fixture.undone(async (tx) => {
      const query = (sql: string, parameters?: unknown[]): Promise<unknown[]> => tx.manager.query(sql, parameters);
      const run: Transaction['run'] = async (statement, ...parameters) => {
        if (!/^(SELECT|WITH)/.test(statement.text)) return tx.run(statement, ...parameters);
        // EXPLAIN ANALYZE executes the statement, so its effects are undone.
        await query('SAVEPOINT explained');
        counts.push(await rowsRead(query, statement.text, queryOf(statement, parameters).values));
        await query('ROLLBACK TO SAVEPOINT explained');
        return tx.run(statement, ...parameters);
      };
      const traced = Object.assign(Object.create(tx) as Transaction, { run });
      const at = new Date(fixture.clock.at + 120_000);
      const due = await fixture.dueMeters.lockDue(traced, [{ organizationId, through }], at, METERS_PER_TRANSACTION);
      await fixture.dueMeters.read(traced, due);
    });
    expect(counts).toHaveLength(2);
    return Math.max(...counts);
  }

  it('allow a live room to be charged without reading its closed sessions', async () => {
    const room = await busyRoom();
    const { accountId, sid, iso } = room;
    expect(await mostRowsRead(room, null)).toBeLessThan(50);
    expect(await mostRowsRead(room, new Date(iso(HOUR_S)))).toBeLessThan(50);
    fixture.clock.at += 61_000;
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: (CLOSED + 2 * 2) * 60 });
    await expectLedgerInvariants(fixture.stack);
  });

  it('leave out time after the end of a cycle', async () => {
    const { sid, iso } = await busyRoom();
    const read = (through: string) =>
      fixture.database.transaction(async (tx) => {
        const [reading] = await fixture.dueMeters.read(tx, [{ sid, through: new Date(through) }]);
        return reading?.seconds;
      });
    expect(await read(iso(0))).toBe(0);
    expect(await read(iso(600))).toBe((CLOSED + 2) * 600);
    expect(await read(iso(HOUR_S + 600))).toBe(CLOSED * HOUR_S + 2 * (HOUR_S + 600));
  });

  it('hold more than 2^31 seconds, which are charged and explained', async () => {
    const { accountId, organizationId, sid, iso } = await busyRoom();
    const seconds = CLOSED * 40 * 86_400;
    await fixture.stack.rows(
      `UPDATE billing.sessions_by_month SET joined_at = joined_at - interval '40 days' + interval '1 hour' WHERE sid = $1 AND left_at IS NOT NULL`,
      [sid],
    );
    fixture.clock.at += 61_000;
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: seconds / 60 + 4 * 60 });
    expect(await fixture.sessions.sumSecondsThrough(sid, new Date(iso(2 * HOUR_S)))).toBe(seconds + 4 * HOUR_S);
    const [entry] = await fixture.ledger.page(organizationId, {}, 1);
    expect(entry).toMatchObject({ totalSeconds: seconds + 4 * HOUR_S });
    await expectLedgerInvariants(fixture.stack);
  });

  it('follow late ends, reopened sessions and duplicates', async () => {
    const { accountId, sid, room, iso, session } = await busyRoom();
    await fixture.fold(session(1, CLOSED + 3, iso(HOUR_S)));
    fixture.clock.at += 61_000;
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: (CLOSED + 1 + 2) * 60 });
    await expectLedgerInvariants(fixture.stack);

    await fixture.foldAll([session(1, CLOSED + 4), session(1, CLOSED + 4), session(3, CLOSED + 5, iso(60)), session(4, 1)]);
    await expectLedgerInvariants(fixture.stack);
    await fixture.foldAll([session(1, CLOSED + 6, iso(2 * HOUR_S)), session(2, CLOSED + 7, iso(2 * HOUR_S))]);
    const versionSum = (await sessionsOf(fixture.stack, sid)).reduce((sum, { version }) => sum + version, 0);
    const totals = { connections: CLOSED + 2, totalSeconds: (CLOSED - 1 + 2 * 2) * HOUR_S + 60, lastVersion: CLOSED + 7, versionSum };
    await fixture.fold(
      envelopeOf(roomFinished, sid, {
        ...room,
        title: 'A class',
        startedAt: iso(0),
        endedAt: iso(2 * HOUR_S),
        reason: 'deleted',
        ...totals,
      }),
    );
    fixture.clock.at += 61_000;
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ isSettled: true, charged: (CLOSED - 1 + 2 * 2) * 60 + 1 });
    await expectLedgerInvariants(fixture.stack);
  });
});
