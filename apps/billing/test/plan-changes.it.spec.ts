import { randomUUID } from 'node:crypto';
import { creditsLow, statementClosed, type Organization } from '@classroom/contracts';
import { expectLedgerInvariants } from '@classroom/testing';
import { toBalance } from '../src/credits/get-balance.js';
import { BillingFixture } from './support/billing-fixture.js';

type Plan = NonNullable<Organization['billing']>;

const prepaid = (credits: number): Plan => ({ type: 'PREPAID', credits, creditRate: 2, currency: 'USD' });
const postpaid = (currency = 'USD'): Plan => ({
  type: 'POSTPAID',
  billingFrequency: 'MONTHLY',
  cycleStartDate: '2026-11-01T00:00:00.000Z',
  creditRate: 0.5,
  currency,
});
const day = (n: number, time = '00:00:00') => new Date(`2026-11-${String(n).padStart(2, '0')}T${time}.000Z`);

describe('a change between prepaid and postpaid', () => {
  let fixture: BillingFixture;
  let organizationId: string;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  beforeEach(() => (organizationId = `org_${randomUUID()}`));
  afterEach(() => expectLedgerInvariants(fixture.stack));
  afterAll(() => fixture?.stop());

  const change = (plan: Plan, at: Date) => {
    fixture.clock.at = Math.max(fixture.clock.at, at.getTime());
    return fixture.update(organizationId, plan, at);
  };
  const use = async (credits: number, at: Date) => {
    await fixture.lesson(organizationId, at.getTime(), credits * 60);
    fixture.clock.at = at.getTime() + credits * 60_000;
    await rollUp();
  };
  const rollUp = async () => fixture.rollUp.execute([(await fixture.accounts.find(organizationId))?.accountId ?? '']);
  const restartClock = (at: Date) => (fixture.clock.at = at.getTime());

  it('closes the open cycle with a statement, settles the balance, and begins with the new plan’s own credits', async () => {
    restartClock(day(1));
    await change(postpaid(), day(1));
    await use(100, day(2));
    // Usage that is not charged yet when the plan changes.
    await fixture.lesson(organizationId, day(3).getTime(), 600);
    const account = await change(prepaid(50), day(4, '12:00:00'));
    expect(toBalance(account, 0)).toMatchObject({ type: 'PREPAID', status: 'ACTIVE', remainingCredits: 50, estimatedValue: 100 });
    expect(await fixture.statements(organizationId)).toEqual(['2026-11-01T00:00:00.000Z to 2026-11-04T12:00:00.000Z: 110']);
    expect(await fixture.entries(organizationId)).toEqual(['CHARGE -100', 'CHARGE -10', 'CORRECTION 110 settles POSTPAID', 'OPENING 50']);
    const [, , settlement] = (await fixture.ledger.page(organizationId, {}, 10)).toReversed();
    expect(settlement).toMatchObject({ creditRate: '0.500000', debitAccount: 'funding', creditAccount: 'customer' });
  });

  it('back to postpaid begins a cycle without usage at the change', async () => {
    restartClock(day(1));
    await change(postpaid(), day(1));
    await use(100, day(2));
    await change(prepaid(50), day(4));
    await use(20, day(5));
    const account = await change(postpaid(), day(6));
    expect(toBalance(account, 0)).toMatchObject({
      type: 'POSTPAID',
      creditsThisCycle: 0,
      creditsConsumed: 0,
      cycleStartDate: day(6).toISOString(),
    });
    await use(7, day(7));
    restartClock(new Date('2026-12-02T00:00:00Z'));
    await rollUp();
    expect(await fixture.statements(organizationId)).toEqual([
      '2026-11-01T00:00:00.000Z to 2026-11-04T00:00:00.000Z: 100',
      '2026-11-06T00:00:00.000Z to 2026-12-01T00:00:00.000Z: 7',
    ]);
    expect((await fixture.entries(organizationId)).slice(1)).toEqual([
      'CORRECTION 100 settles POSTPAID',
      'OPENING 50',
      'CHARGE -20',
      'CORRECTION -30 settles PREPAID',
      'CHARGE -7',
    ]);
  });

  it('closes each cycle that has ended meanwhile, and the open one at the change', async () => {
    restartClock(day(1));
    await change(postpaid(), day(1));
    await fixture.lesson(organizationId, Date.parse('2026-11-30T23:50:00Z'), 1_800);
    await change(prepaid(0), new Date('2027-01-03T00:00:00Z'));
    expect(await fixture.statements(organizationId)).toEqual([
      '2026-11-01T00:00:00.000Z to 2026-12-01T00:00:00.000Z: 10',
      '2026-12-01T00:00:00.000Z to 2027-01-01T00:00:00.000Z: 20',
      '2027-01-01T00:00:00.000Z to 2027-01-03T00:00:00.000Z: 0',
    ]);
    expect(await fixture.accounts.find(organizationId)).toMatchObject({ balance: 0, billingType: 'PREPAID' });
  });

  it('does not publish low credits because of the settlement', async () => {
    restartClock(day(1));
    await change(postpaid(), day(1));
    await use(100, day(2));
    await change(prepaid(1_000), day(3));
    expect(await fixture.facts(creditsLow, { organizationId })).toEqual([]);
    expect(await fixture.facts(statementClosed, { organizationId })).toHaveLength(1);
  });

  it('that arrives after a later one gives each prepaid period its opening credits once', async () => {
    const changes = [
      [prepaid(1_000), day(1)],
      [postpaid(), day(10)],
      [prepaid(50), day(20)],
    ] as const;
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      organizationId = `org_${randomUUID()}`;
      restartClock(day(20));
      for (const [n, one] of order.entries()) {
        const [plan, at] = changes[one] as (typeof changes)[number];
        await change(plan, at);
        // Usage under the plan that is in force at the end.
        if (one === 2) await use(5, day(21));
        if (n === 2) await change(prepaid(50), day(22));
      }
      const entries = await fixture.entries(organizationId);
      expect({ order, opened: entries.filter((entry) => entry.startsWith('OPENING')).sort() }).toEqual({
        order,
        opened: ['OPENING 1000', 'OPENING 50'],
      });
      expect({ order, balance: (await fixture.accounts.find(organizationId))?.balance }).toEqual({ order, balance: 45 });
    }
  });

  it('of the currency also closes the open cycle: a statement has one currency', async () => {
    restartClock(day(1));
    await change(postpaid(), day(1));
    await use(10, day(2));
    await change(postpaid('EUR'), day(5));
    await use(3, day(6));
    restartClock(new Date('2026-12-02T00:00:00Z'));
    await rollUp();
    expect(await fixture.closedCycles(organizationId)).toMatchObject([
      { cycleEnd: day(5), amount: '5.000000', currency: 'USD' },
      { cycleEnd: new Date('2026-12-01'), amount: '1.500000', currency: 'EUR' },
    ]);
  });
});
