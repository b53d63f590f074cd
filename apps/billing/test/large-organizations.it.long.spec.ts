import { accountChanged } from '@classroom/contracts';
import { eventually, expectLedgerInvariants } from '@classroom/testing';
import { In } from 'typeorm';
import { RoomMeterEntity } from '../src/schema/room-meter.entity.js';
import { BillingFixture, Crash } from './support/billing-fixture.js';

const ROOMS = 3_000;
const PEOPLE = 2;
const HOUR_MS = 3_600_000;

describe('the roll-up', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterEach(() => expectLedgerInvariants(fixture.stack));
  afterAll(() => fixture?.stop());

  /** Live rooms that began an hour ago, with participants who are still in them. Each is due at `dueAt`. */
  async function addLiveRooms(organizationIds: string[], rooms: number, dueAt: number): Promise<void> {
    const parameters = [organizationIds, rooms, new Date(fixture.clock.at - HOUR_MS)];
    await fixture.dataSource.query(
      `INSERT INTO room_meters (sid, organization_id, room_id, title, started_at, verified_at, due_at)
       SELECT 'RM_' || o || r, o, 'room-' || r, 'Live', $3, $3::timestamptz + interval '1 hour', $4 FROM unnest($1::text[]) o, generate_series(1, $2::int) r`,
      [...parameters, new Date(dueAt)],
    );
    await fixture.dataSource.query(
      `INSERT INTO sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, opened_by, version, month)
       SELECT 'PA_' || o || r || '_' || p, 'RM_' || o || r, o, 'uid-' || p, 'Ada', 'STUDENT', $3, 'webhook', 1, session_month($3)
         FROM unnest($1::text[]) o, generate_series(1, $2::int) r, generate_series(1, ${PEOPLE}) p`,
      parameters,
    );
  }

  /** Begins `work`. @returns it, and what releases its n-th transaction, which waits before its commit */
  async function heldAt(n: number, work: () => Promise<void>): Promise<[Promise<void>, () => void]> {
    let release = () => {};
    let working = Promise.resolve();
    const released = new Promise<void>((resolve) => (release = resolve));
    await new Promise<void>((reached) => {
      const hold = (at: number) => async () => {
        if (at < n) return void (fixture.database.holdNext = hold(at + 1));
        reached();
        return released;
      };
      fixture.database.holdNext = hold(1);
      working = work();
    });
    return [working, release];
  }

  const topUp = (organizationId: string, reference: string) =>
    fixture.database.transaction(async (tx) => {
      const account = await fixture.accounts.lockBalance(tx, organizationId);
      if (account) await fixture.postEntries.execute(tx, account, [{ kind: 'TOP_UP', signedCredits: 7, reference }]);
    });

  const balanceOf = async (organizationId: string) => (await fixture.accounts.find(organizationId))?.balance;

  it('charges a large organization by several transactions at once, and others post and audit meanwhile', async () => {
    const { organizationId, accountId } = await fixture.organization();
    await addLiveRooms([organizationId], ROOMS, fixture.clock.at);
    const progress = { isDone: false };
    const [charging, release] = await heldAt(2, () => fixture.rollUp.execute([accountId]));
    // Another transaction has read its meters and written them; only its entries wait.
    await eventually(async () => {
      const waiting = await fixture.stack.rows(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT%FROM accounts%FOR NO KEY UPDATE'`,
      );
      expect(waiting).toHaveLength(1);
    });
    release();
    void charging.finally(() => (progress.isDone = true));
    const topUps = async () => {
      let count = 0;
      for (; !progress.isDone; count += 1) {
        await topUp(organizationId, `top-up ${count}`);
      }
      return count;
    };
    const audits = async () => {
      for (; !progress.isDone;) expect(await fixture.audit()).toEqual([]);
    };
    const [, topped] = await Promise.all([charging, topUps(), audits()]);
    expect(await fixture.audit()).toEqual([]);
    expect(topped).toBeGreaterThan(0);
    expect(await balanceOf(organizationId)).toBe(1_000 + 7 * topped - ROOMS * PEOPLE * 60);
    // The facts state each balance once, in the order of its changes.
    const facts = await fixture.facts(accountChanged, { organizationId });
    expect(facts.map(({ version }) => version)).toEqual(facts.map((_, index) => index + (facts[0]?.version ?? 0)));
    expect(facts.at(-1)?.remainingCredits).toBe(await balanceOf(organizationId));
  });

  it('reports the failure of one of these transactions, and the next roll-up charges the rest', async () => {
    const { organizationId, accountId } = await fixture.organization();
    await addLiveRooms([organizationId], 1_600, fixture.clock.at);
    let transactions = 0;
    fixture.database.fate = () => (++transactions === 3 ? 'dies-before-commit' : 'lives');
    await expect(fixture.rollUp.execute([accountId])).rejects.toThrow(Crash);
    await fixture.rollUp.execute([accountId]);
    expect(await balanceOf(organizationId)).toBe(1_000 - 1_600 * PEOPLE * 60);
  });

  it('locks the plan of an organization while it reads meters, and not the balance', async () => {
    const { organizationId, accountId } = await fixture.organization();
    const changed: string[] = [];
    const locked = Promise.withResolvers<void>();
    // Waits outside of the transaction, in which no statement may use another connection.
    const others = locked.promise.then(async () => {
      const plan = { type: 'PREPAID', credits: 0, creditRate: 2, currency: 'USD' } as const;
      const change = fixture.update(organizationId, plan).then(() => changed.push('plan'));
      await eventually(async () => expect(await fixture.stack.rows('SELECT 1 FROM pg_locks WHERE NOT granted')).toHaveLength(1));
      await topUp(organizationId, 'top-up').then(() => changed.push('balance'));
      return { change };
    });
    const changing = await fixture.database.transaction(async (tx) => {
      expect(await fixture.accounts.lockPlans(tx, [accountId])).toHaveLength(1);
      fixture.clock.at += 1_000;
      locked.resolve();
      return others;
    });
    await changing.change;
    expect(changed).toEqual(['balance', 'plan']);

    const planLocked = Promise.withResolvers<void>();
    const skipped = planLocked.promise.then(() => fixture.database.transaction((other) => fixture.accounts.lockPlans(other, [accountId])));
    await fixture.database.transaction(async (tx) => {
      await fixture.accounts.lockById(tx, accountId);
      planLocked.resolve();
      expect(await skipped).toEqual([]);
    });
  });

  it('reads the due meters of each organization once, also while statistics say that none is due', async () => {
    const organizations = await Promise.all(Array.from({ length: 60 }, () => fixture.organization()));
    const ids = organizations.map(({ organizationId }) => organizationId);
    await addLiveRooms(ids, 40, fixture.clock.at + HOUR_MS);
    await fixture.stack.rows('ANALYZE billing.room_meters');
    const due = new Date(fixture.clock.at);
    await fixture.dataSource.manager.update(RoomMeterEntity, { organizationId: In(ids) }, { dueAt: due });
    const plan = await fixture.undone(async (tx) => {
      const plans = await fixture.accounts.lockPlans(
        tx,
        organizations.map(({ accountId }) => accountId),
      );
      const locked = await fixture.dueMeters.lockDue(
        tx,
        plans.map(({ organizationId }) => ({ organizationId, through: null })),
        due,
        2,
      );
      expect(locked).toHaveLength(120);
      const [statement]: { name: string }[] = await tx.manager.query(
        `SELECT name FROM pg_prepared_statements WHERE name LIKE 'due-meters.lockDue:%'`,
      );
      return tx.manager.query(`EXPLAIN EXECUTE "${statement?.name}" ('{${ids.join()}}', NULL, '${due.toISOString()}', 2)`);
    });
    expect(JSON.stringify(plan)).toMatch(/room_meters_due_by_organization/);
  });
});
