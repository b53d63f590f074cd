import { randomUUID } from 'node:crypto';
import { array, assert, asyncProperty, boolean, constantFrom, integer, option, record, type Arbitrary } from 'fast-check';
import type { Transaction } from '@classroom/persistence';
import { byForm } from '@classroom/testing';
import { LiveChargesRepository } from '../src/charging/live-charges.repository.js';
import { BillingFixture } from './support/billing-fixture.js';

const RUNS = byForm({ short: 20, long: 300 });
const ROOMS_PER_RUN = 30;
/** Seconds since 1970. All times of a room are within the hour that follows. */
const START = Math.floor(Date.now() / 1000) - 7_200;

const second = integer({ min: 0, max: 3_600 });
const session = record({
  joinedAt: second,
  seconds: option(integer({ min: 0, max: 3_600 }), { freq: 3 }),
  unseenAt: option(second, { freq: 3 }),
  isBehind: boolean(),
});
const meter = record({
  sessions: array(session, { maxLength: 4 }),
  verifiedAt: option(second, { freq: 5 }),
  charged: constantFrom(0, 0, 1, 5, 60, 500),
  sequence: integer({ min: 0, max: 3 }),
  version: integer({ min: 0, max: 9 }),
});

type Meter = typeof meter extends Arbitrary<infer M> ? M : never;

describe('the charges of live rooms in SQL', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  async function insert(organizationId: string, { sessions, verifiedAt, charged, sequence, version }: Meter) {
    const sid = `RM_${randomUUID()}`;
    const connections = sessions.map((one, n) => ({ ...one, connectionSid: `PA_${sid}_${n}` }));
    const unseen = connections.flatMap(({ connectionSid, seconds, unseenAt }) =>
      seconds === null && unseenAt !== null ? [[connectionSid, START + unseenAt]] : [],
    );
    const closed = sessions.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
    const verified = verifiedAt === null ? null : START + verifiedAt;
    await fixture.dataSource.query(
      `INSERT INTO room_meters (sid, organization_id, room_id, title, charged_credits, sequence, last_entry_id, folded_version, verified_at, unseen,
                                connections, version_sum, closed_seconds)
       VALUES ($1, $2, 'room-of-' || $1, '', $3, $4, $5, $6, to_timestamp($7), $8, $9, $9, $10)`,
      [
        sid,
        organizationId,
        charged,
        sequence,
        sequence > 0 ? randomUUID() : null,
        version,
        verified,
        Object.fromEntries(unseen),
        sessions.length,
        closed,
      ],
    );
    for (const { connectionSid, joinedAt, seconds, isBehind } of connections) {
      await fixture.dataSource.query(
        `INSERT INTO sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, left_at, opened_by, version, behind, month)
         VALUES ($1, $2, $3, $1, 'Ada', 'STUDENT', to_timestamp($4), to_timestamp($5), 'webhook', 1, to_timestamp($6), session_month(to_timestamp($4)))`,
        [
          connectionSid,
          sid,
          organizationId,
          START + joinedAt,
          seconds === null ? null : START + joinedAt + seconds,
          isBehind ? verified : null,
        ],
      );
    }
    return sid;
  }

  /** What `work` writes for the rooms. It is undone. */
  const written = (sids: string[], work: (tx: Transaction) => Promise<void>) =>
    fixture.undone(async (tx) => {
      await work(tx);
      const entries: unknown[] = await tx.manager.query(
        `SELECT to_jsonb(e) - 'entry_id' - 'position' AS entry FROM ledger_entries e WHERE sid = ANY($1) ORDER BY sid`,
        [sids],
      );
      const meters: Record<string, unknown>[] = await tx.manager.query(
        `SELECT to_jsonb(m) - 'last_entry_id' || jsonb_build_object('entry', coalesce((SELECT meter_sequence FROM ledger_entries WHERE entry_id = last_entry_id), 0)) AS meter
           FROM room_meters m WHERE sid = ANY($1) ORDER BY sid`,
        [sids],
      );
      return { entries, meters };
    });

  it('are those of charge.ts', async () => {
    const kinds = { charged: 0, overcharged: 0 };
    await assert(
      asyncProperty(array(meter, { minLength: ROOMS_PER_RUN, maxLength: ROOMS_PER_RUN }), async (meters) => {
        const { accountId, organizationId } = await fixture.organization();
        const sids: string[] = [];
        for (const one of meters) sids.push(await insert(organizationId, one));
        const now = fixture.clock.now();
        let overcharged: ReadonlySet<string> = new Set();
        let credits = 0;
        const sql = await written(sids, async (tx) => {
          const posted = await new LiveChargesRepository().post(tx, [accountId], sids, now, new Date(now.getTime() + 60_000));
          overcharged = posted.overcharged;
          credits = posted.credits.get(organizationId) ?? 0;
        });
        let total = 0;
        const typescript = await written(sids, async (tx) => {
          const account = await fixture.accounts.lockById(tx, accountId);
          if (!account) throw new Error('no account');
          const before = account.balance;
          const readings = await fixture.dueMeters.read(
            tx,
            sids.map((sid) => ({ sid, through: null })),
          );
          const negative = readings.filter(({ seconds, chargedCredits }) => Math.ceil(seconds / 60) < chargedCredits);
          expect(new Set(negative.map(({ sid }) => sid))).toEqual(overcharged);
          const ordinary = readings.filter(({ sid }) => !overcharged.has(sid));
          await fixture.chargeMeters.execute(tx, [{ account, readings: ordinary, isPartial: false }]);
          total = before - account.balance;
        });
        expect(sql).toEqual(typescript);
        expect(credits).toBe(total);
        kinds.charged += credits > 0 ? 1 : 0;
        kinds.overcharged += overcharged.size;
      }),
      { numRuns: RUNS },
    );
    expect(kinds.charged).toBeGreaterThan(0);
    expect(kinds.overcharged).toBeGreaterThan(0);
  });
});
