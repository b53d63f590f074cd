import { randomUUID } from 'node:crypto';
import type { Organization } from '@classroom/contracts';
import { chargedCredits, expectLedgerInvariants, inLongForm } from '@classroom/testing';
import { CLOSE_DELAY_MS, CLOSES_AT, MAX_CLOSE_DELAY_MS } from '../src/ledger/accounts.repository.js';
import { DueAccountsRepository } from '../src/charging/catch-up.repository.js';
import { BillingFixture, Crash } from './support/billing-fixture.js';

type Plan = NonNullable<Organization['billing']>;

const postpaid = (cycleStartDate: string, billingFrequency: 'WEEKLY' | 'MONTHLY' = 'MONTHLY', creditRate = 0.5): Plan => ({
  type: 'POSTPAID',
  billingFrequency,
  cycleStartDate,
  creditRate,
  currency: 'USD',
});

describe('a billing cycle', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterEach(() => expectLedgerInvariants(fixture.stack));
  afterAll(() => fixture?.stop());

  const goTo = (instant: string) => (fixture.clock.at = Date.parse(instant));
  /** Creates an organization. An update with the same plan is any other change, such as of its name: it carries the plan too. */
  const school = async (plan: Plan) => fixture.update(`org_${randomUUID()}`, plan);

  it('is closed at its end, even if the organization was changed between its end and its close', async () => {
    goTo('2026-11-05T00:00:00Z');
    const plan = postpaid('2026-11-01T00:00:00.000Z');
    const { organizationId, accountId } = await school(plan);
    await fixture.lesson(organizationId, Date.parse('2026-11-30T23:00:00Z'), 600);
    goTo('2026-12-01T00:00:10Z');
    const changed = await fixture.update(organizationId, plan);
    expect(changed).toMatchObject({ cycleStart: new Date('2026-11-01'), cycleEnd: new Date('2026-12-01') });
    goTo('2026-12-01T00:02:00Z');
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.statements(organizationId)).toEqual(['2026-11-01T00:00:00.000Z to 2026-12-01T00:00:00.000Z: 10']);
    expect(await fixture.accounts.find(organizationId)).toMatchObject({
      cycleStart: new Date('2026-12-01'),
      cycleEnd: new Date('2027-01-01'),
      cycleCredits: 0,
    });
  });

  it('is closed in order, even if the organization was changed during a downtime over several cycles', async () => {
    goTo('2026-11-02T00:00:00Z');
    const plan = postpaid('2026-11-02T00:00:00.000Z', 'WEEKLY');
    const { organizationId, accountId } = await school(plan);
    await fixture.lesson(organizationId, Date.parse('2026-11-08T23:50:00Z'), 1_200);
    goTo('2026-11-25T12:00:00Z');
    await fixture.update(organizationId, plan);
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.statements(organizationId)).toEqual([
      '2026-11-02T00:00:00.000Z to 2026-11-09T00:00:00.000Z: 10',
      '2026-11-09T00:00:00.000Z to 2026-11-16T00:00:00.000Z: 10',
      '2026-11-16T00:00:00.000Z to 2026-11-23T00:00:00.000Z: 0',
    ]);
  });

  it('takes a new rhythm while it is open, and leaves it to the next cycle once it has ended', async () => {
    goTo('2026-11-10T00:00:00Z');
    const { organizationId, accountId } = await school(postpaid('2026-11-01T00:00:00.000Z'));
    const weekly = postpaid('2026-11-04T00:00:00.000Z', 'WEEKLY');
    expect(await fixture.update(organizationId, weekly, new Date('2026-11-10T00:00:01Z'))).toMatchObject({
      cycleStart: new Date('2026-11-01'),
      cycleEnd: new Date('2026-11-11'),
    });
    goTo('2026-11-11T00:00:05Z');
    await fixture.update(organizationId, postpaid('2026-11-20T00:00:00.000Z'));
    goTo('2026-11-21T00:00:00Z');
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.statements(organizationId)).toEqual([
      '2026-11-01T00:00:00.000Z to 2026-11-11T00:00:00.000Z: 0',
      '2026-11-11T00:00:00.000Z to 2026-11-20T00:00:00.000Z: 0',
    ]);
  });

  it('of an organization whose creation is received weeks late begins with the cycle of its creation', async () => {
    goTo('2026-11-25T00:00:00Z');
    const { organizationId, accountId } = await fixture.update(
      `org_${randomUUID()}`,
      postpaid('2026-11-02T00:00:00.000Z', 'WEEKLY'),
      new Date('2026-11-12T00:00:00Z'),
    );
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.statements(organizationId)).toEqual([
      '2026-11-09T00:00:00.000Z to 2026-11-16T00:00:00.000Z: 0',
      '2026-11-16T00:00:00.000Z to 2026-11-23T00:00:00.000Z: 0',
    ]);
  });

  it('closes at a time derived from the account, the same in the trigger and in the close', async () => {
    const end = new Date('2026-12-01T00:00:00Z');
    const rows: { at: Date }[] = await fixture.dataSource.query(
      `SELECT ${CLOSES_AT} AS at FROM (SELECT gen_random_uuid() AS account_id, $1::timestamptz AS cycle_end FROM generate_series(1, 200)) AS accounts`,
      [end],
    );
    const after = rows.map(({ at }) => at.getTime() - end.getTime());
    expect(new Set(after).size).toBeGreaterThan(150);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(CLOSE_DELAY_MS);
    expect(Math.max(...after)).toBeLessThanOrEqual(MAX_CLOSE_DELAY_MS);

    goTo('2026-11-05T00:00:00Z');
    const { organizationId, accountId } = await school(postpaid('2026-11-01T00:00:00.000Z'));
    const closesAt = (await fixture.accounts.findOpenCycle(accountId))?.closesAt.getTime() ?? 0;
    for (const [at, isClosed] of [
      [closesAt - 1, false],
      [closesAt, true],
    ] as const) {
      fixture.clock.at = at;
      const due = await new DueAccountsRepository(fixture.database).findDue(fixture.clock.now());
      expect(due.some((one) => one.organizationId === organizationId)).toBe(isClosed);
      await fixture.rollUp.execute([accountId]);
      expect(await fixture.statements(organizationId)).toHaveLength(isClosed ? 1 : 0);
    }
  });

  inLongForm(describe)('of a large organization', () => {
    const SETTLED = 20_000;
    const UNSETTLED = 2_300;
    const plan = postpaid('2026-11-02T00:00:00.000Z', 'WEEKLY');

    /** Classes that were settled long ago, and live ones with one participant each, verified until 10 minutes after the cycle's end. */
    async function largeSchool() {
      goTo('2026-11-02T00:00:00Z');
      const { organizationId, accountId } = await school(plan);
      await fixture.stack.rows(
        `INSERT INTO billing.room_meters (sid, organization_id, room_id, title, started_at, ended_at, finished_at, settled_at)
         SELECT 'RM_s' || n || '${accountId}', '${organizationId}', 's' || n, '', t, t, t, t
           FROM generate_series(1, ${SETTLED}) AS n, LATERAL (SELECT '2026-11-03T00:00:00Z'::timestamptz + n * interval '10 seconds') AS at(t);
         INSERT INTO billing.room_meters (sid, organization_id, room_id, title, started_at, verified_at, due_at)
         SELECT 'RM_u' || n || '${accountId}', '${organizationId}', 'u' || n, '', '2026-11-08T23:50:00Z', '2026-11-09T00:10:00Z', '2026-11-09T00:10:00Z'
           FROM generate_series(1, ${UNSETTLED}) AS n;
         INSERT INTO billing.sessions_by_month (connection_sid, sid, organization_id, uid, name, role, joined_at, opened_by, version, month)
         SELECT 'PA_' || sid, sid, organization_id, 'ada', 'Ada', 'STUDENT', started_at, 'webhook', 1, billing.session_month(started_at)
           FROM billing.room_meters WHERE organization_id = '${organizationId}' AND settled_at IS NULL`,
      );
      goTo('2026-11-09T00:10:00Z');
      fixture.database.mostRows = 0;
      return { organizationId, accountId };
    }
    const charged = (organizationId: string) => chargedCredits(fixture.stack, organizationId);

    it('is closed by transactions of no more than 500 rows each', async () => {
      const { organizationId, accountId } = await largeSchool();
      await fixture.rollUp.execute([accountId]);
      expect(await fixture.statements(organizationId)).toEqual([`2026-11-02T00:00:00.000Z to 2026-11-09T00:00:00.000Z: ${10 * UNSETTLED}`]);
      goTo('2026-11-09T00:11:00Z');
      await fixture.rollUp.execute([accountId]);
      expect(await charged(organizationId)).toBe(20 * UNSETTLED);
      expect(fixture.database.mostRows).toBe(500);
    });

    it('is added up in transactions of 20,000 entries', async () => {
      const ENTRIES = 50_000;
      goTo('2026-11-02T00:00:00Z');
      const { organizationId, accountId, cycleStart } = await school({ ...plan, creditRate: 0.25 });
      await fixture.fillLedger(organizationId, ENTRIES, { kind: 'CORRECTION', signedCredits: -2, creditRate: 0.25, cycleStart });
      goTo('2026-11-09T00:10:00Z');
      let transactions = 0;
      fixture.database.fate = () => {
        transactions += 1;
        return transactions === 2 ? 'dies-after-commit' : 'lives';
      };
      await expect(fixture.rollUp.execute([accountId])).rejects.toThrow(Crash);
      await fixture.rollUp.execute([accountId]);
      fixture.database.fate = () => 'lives';
      expect(await fixture.statements(organizationId)).toEqual([`2026-11-02T00:00:00.000Z to 2026-11-09T00:00:00.000Z: ${2 * ENTRIES}`]);
      expect((await fixture.closedCycles(organizationId)).map(({ amount }) => Number(amount))).toEqual([ENTRIES / 2]);
      // Three transactions add up entries, and each run adds one for its roll-up.
      expect(transactions).toBe(5);
    });

    it('is charged even if its statement cannot be written', async () => {
      const { organizationId, accountId } = await largeSchool();
      await fixture.stack.rows(
        `CREATE FUNCTION billing.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no statement'; END $$;
         CREATE TRIGGER refuse BEFORE INSERT ON billing.statements FOR EACH ROW EXECUTE FUNCTION billing.refuse()`,
      );
      await expect(fixture.rollUp.execute([accountId])).rejects.toThrow();
      await fixture.stack.rows('DROP TRIGGER refuse ON billing.statements; DROP FUNCTION billing.refuse()');
      expect(await charged(organizationId)).toBe(10 * UNSETTLED);
      expect(fixture.database.mostRows).toBe(500);
    });

    it('is charged with the index of unsettled meters', async () => {
      const { organizationId } = await largeSchool();
      await fixture.stack.rows('ANALYZE billing.room_meters');
      const plans = await fixture.stack.rows<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT sid FROM billing.room_meters WHERE organization_id = '${organizationId}' AND settled_at IS NULL AND started_at < '2026-11-09'
            AND (started_at, sid) > ('-infinity'::timestamptz, '') ORDER BY started_at, sid LIMIT 500 FOR UPDATE`,
      );
      expect(JSON.stringify(plans)).toContain('room_meters_unsettled_by_organization');
      expect(JSON.stringify(plans)).not.toContain('Sort');
    });
  });
});
