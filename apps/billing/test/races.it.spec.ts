import { randomUUID } from 'node:crypto';
import {
  AppError,
  participantConnection,
  roomCheckpoint,
  roomFinished,
  roomRpc,
  type EventData,
  type EventEnvelope,
} from '@classroom/contracts';
import { DueWorks, type RpcClient } from '@classroom/messaging';
import { Dependencies, type BaseConfig } from '@classroom/platform';
import { envelopeOf, eventually, expectLedgerInvariants } from '@classroom/testing';
import { EnsureAccount } from '../src/plans/apply-plan.js';
import { DueAccountsRepository } from '../src/charging/catch-up.repository.js';
import { RollUpTrigger } from '../src/charging/roll-up.js';
import { BillingFixture } from './support/billing-fixture.js';

const GATE = 4_711;
/** Nothing listens there. */
const UNREACHABLE_REDIS = 'redis://127.0.0.1:1';

/** Facts are applied while the same meter is charged: nothing that arrives in between may be lost. */
describe('a charge with concurrent facts', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
    // Every read of a meter passes a gate. While it is closed, it holds a statement between its snapshot and its locks.
    await fixture.stack.rows(
      `CREATE FUNCTION billing.gate() RETURNS boolean LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_lock_shared(${GATE}), pg_advisory_unlock_shared(${GATE}); RETURN true; END $$;
       CREATE POLICY gate ON billing.room_meters AS RESTRICTIVE USING (billing.gate());`,
    );
  });
  afterEach(() => expectLedgerInvariants(fixture.stack));
  afterAll(() => fixture?.stop());

  interface Lesson {
    organizationId: string;
    accountId: string;
    sid: string;
    session: (n: number, seconds: number, version: number) => EventEnvelope;
    end: (connections: number, totalSeconds: number, versionSum: number) => EventEnvelope;
  }

  async function lesson(cycleStart?: Date): Promise<Lesson> {
    const { organizationId, accountId } = await fixture.organization(cycleStart);
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const start = Math.floor(fixture.clock.at / 1000) - 3_600;
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
    const session = (n: number, seconds: number, version: number) => {
      const person = { connectionSid: `PA_${sid}_${n}`, uid: `uid-${n}`, name: 'Ada', role: 'STUDENT', ip: null };
      const ends = { joinedAt: iso(start), leftAt: iso(start + seconds), openedBy: 'webhook', closedBy: 'webhook' };
      return envelopeOf(participantConnection, sid, { ...room, ...person, ...ends, version });
    };
    const end = (connections: number, totalSeconds: number, versionSum: number) => {
      const times = { title: 'A class', startedAt: iso(start), endedAt: iso(start + 1_800), reason: 'deleted' };
      const data = { ...room, ...times, connections, totalSeconds, lastVersion: versionSum, versionSum };
      return envelopeOf(roomFinished, sid, data satisfies EventData<typeof roomFinished>);
    };
    return { organizationId, accountId, sid, session, end };
  }

  /** Folds `fact` so that it commits after the roll-up's statement took its snapshot and before it takes its locks. */
  async function foldInside(fact: EventEnvelope, rollUp: () => Promise<void>): Promise<void> {
    let commit = () => {};
    const held = new Promise<void>((resolve) => {
      fixture.database.holdNext = () => {
        resolve();
        return new Promise<void>((release) => (commit = release));
      };
    });
    const folding = fixture.fold(fact);
    await held;
    const gate = fixture.dataSource.createQueryRunner();
    await gate.query(`SELECT pg_advisory_lock(${GATE})`);
    const charging = rollUp();
    try {
      await eventually(async () => {
        const waiting = await fixture.stack.rows(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted`);
        expect(waiting).toHaveLength(1);
      });
      commit();
      await folding;
    } finally {
      await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
      await gate.release();
    }
    await charging;
  }

  const later = async (accountId: string) => {
    fixture.clock.at += 120_000;
    await fixture.rollUp.execute([accountId]);
  };

  it('adjusts a settled room at the next turn', async () => {
    const { accountId, sid, session, end } = await lesson();
    await fixture.foldAll([session(1, 60, 1), end(1, 60, 1)]);
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 1, isSettled: true, isDue: false });
    await fixture.fold(session(2, 60, 2));
    await foldInside(session(3, 600, 3), () => fixture.rollUp.execute([accountId]));
    await later(accountId);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 12, isSettled: true, isDue: false });
  });

  it('settles an ended room at the next turn, without the catch-up', async () => {
    const { accountId, sid, session, end } = await lesson();
    await fixture.fold(session(1, 90, 1));
    fixture.clock.at += 61_000;
    await foldInside(end(1, 90, 1), () => fixture.rollUp.execute([accountId]));
    fixture.clock.at += 1_000;
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 2, isSettled: true, isDue: false });
  });

  it('takes each credit once, with many concurrent folds and charges', async () => {
    const { accountId, sid, session, end } = await lesson();
    const sessions = Array.from({ length: 40 }, (_, n) => session(n, 30 + n, n + 1));
    const seconds = sessions.reduce((sum, _, n) => sum + 30 + n, 0);
    const charging = Array.from({ length: 6 }, async () => {
      for (let turn = 0; turn < 15; turn++) {
        fixture.clock.at += 61_000;
        await fixture.rollUp.execute([accountId]);
      }
    });
    // Each fact is delivered twice, in both orders.
    const folding = [sessions, [...sessions].reverse()].map((facts) => fixture.foldAll(facts));
    await Promise.all([...charging, ...folding]);
    await fixture.fold(end(40, seconds, (40 * 41) / 2));
    await later(accountId);
    expect(await fixture.meter(sid)).toMatchObject({ charged: Math.ceil(seconds / 60), isSettled: true, isDue: false });
  });

  it('charges the other organizations of a job if one of them fails', async () => {
    const lessons = await Promise.all(Array.from({ length: 3 }, () => lesson()));
    for (const { session, end } of lessons) await fixture.foldAll([session(1, 60, 1), end(1, 60, 1)]);
    const faulty = lessons[1] as Lesson;
    const where = 'WHERE sid = $1 AND meter_sequence = 1';
    await fixture.stack.rows(
      `INSERT INTO billing.ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency,
                                           recorded_at, sid, room_id, meter_sequence)
       VALUES (gen_random_uuid(), $2, 'CHARGE', 'customer', 'usage', 1, 1, 'USD', now(), $1, 'taken', 1)`,
      [faulty.sid, faulty.organizationId],
    );
    const charged = async () => Promise.all(lessons.map(async ({ sid }) => (await fixture.meter(sid))?.charged));
    const rollUp = () => fixture.rollUp.execute(lessons.map(({ accountId }) => accountId));
    await expect(rollUp()).rejects.toThrow(/ledger_meter_key/);
    expect(await charged()).toEqual([1, 0, 1]);
    await fixture.stack.rows(`DELETE FROM billing.ledger_entries ${where}`, [faulty.sid]);
    await rollUp();
    expect(await charged()).toEqual([1, 1, 1]);
  });

  describe('of a room that cannot be charged', () => {
    let dueWorks: DueWorks;
    beforeAll(() => {
      dueWorks = new DueWorks({ REDIS_URL: UNREACHABLE_REDIS } as unknown as BaseConfig, new Dependencies(), fixture.clock);
    });
    afterAll(() => dueWorks.onApplicationShutdown());
    const trigger = () =>
      new RollUpTrigger(
        dueWorks,
        new DueAccountsRepository(fixture.database),
        new EnsureAccount(fixture.database, fixture.accounts, fixture.applyPlan, fixture.rpc),
        fixture.rollUp,
      );
    const turn = async ({ work }: RollUpTrigger) => {
      await work['takeDue']().catch(() => undefined);
      await Promise.all(work['runs']);
    };
    // Must run before the invariants are checked after each test, because these rooms belong to no organization.
    const forget = () =>
      fixture.stack.rows(
        `DELETE FROM billing.sessions_by_month WHERE sid LIKE 'RM_nobody%'; DELETE FROM billing.room_meters WHERE sid LIKE 'RM_nobody%'`,
      );

    it('delays no other organization', async () => {
      const lessons = await Promise.all(Array.from({ length: 8 }, () => lesson()));
      fixture.connectionsOf = () => Promise.reject(new AppError('ORGANIZATION_NOT_FOUND'));
      for (const [n, { session, end }] of lessons.entries()) {
        const unknown = session(9, 60, 1) as EventEnvelope<EventData<typeof participantConnection>>;
        const data = { ...unknown.data, organizationId: `unknown-${n}`, sid: `RM_unknown_${n}`, connectionSid: `PA_unknown_${n}` };
        await fixture.foldAll([envelopeOf(participantConnection, data.sid, data), session(1, 60, 1), end(1, 60, 1)]);
      }
      fixture.clock.at += 61_000;
      const rollUps = trigger();
      await turn(rollUps);
      await turn(rollUps);
      await forget();
      for (const { sid } of lessons) expect(await fixture.meter(sid)).toMatchObject({ charged: 1, isSettled: true });
    });

    it('does not keep the catch-up from the rooms after it', async () => {
      const lessons = await Promise.all(Array.from({ length: 24 }, () => lesson()));
      const good = lessons.at(-1) as Lesson;
      // The room service no longer knows any of these rooms except the last.
      fixture.connectionsOf = (async (_: unknown, { sid }: { sid: string }) => {
        if (sid !== good.sid) throw new AppError('ROOM_NOT_FOUND');
        return { connections: [good.session(1, 300, 1).data] };
      }) as RpcClient['call'];
      for (const { end } of lessons) await fixture.fold(end(1, 300, 1));
      fixture.clock.at += 61_000;
      for (let n = 0; n < 5; n++) {
        await fixture.catchUp.run();
        await turn(trigger());
        fixture.clock.at += 6_000;
      }
      expect(await fixture.meter(good.sid)).toMatchObject({ charged: 5, isSettled: true });
    });
  });

  it('asks the room service about a room without recent facts, and settles it if its end was lost', async () => {
    const { accountId, sid, session } = await lesson();
    const whole = session(1, 300, 2) as EventEnvelope<EventData<typeof participantConnection>>;
    await fixture.foldAll([envelopeOf(participantConnection, sid, { ...whole.data, leftAt: null, closedBy: null, version: 1 })]);
    const checkpoint = { ...whole.data, version: 1, verifiedAt: whole.data.joinedAt, unseen: [] };
    await fixture.foldAll([envelopeOf(roomCheckpoint, sid, checkpoint)]);
    fixture.connectionsOf = (async (contract: { subject: string }) => {
      const room = { sid, roomId: `room-of-${sid}`, title: 'A class', state: 'finished' };
      const times = { startedAt: whole.data.joinedAt, endedAt: whole.data.leftAt };
      return contract.subject === roomRpc.describe.subject ? { ...room, ...times } : { connections: [whole.data] };
    }) as unknown as RpcClient['call'];
    fixture.clock.at += 11 * 60_000;
    await fixture.catchUp.run();
    await later(accountId);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 5, isSettled: true, isDue: false });
  });
});
