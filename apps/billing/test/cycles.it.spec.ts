import { randomUUID } from 'node:crypto';
import type { Organization } from '@classroom/contracts';
import { expectLedgerInvariants } from '@classroom/testing';
import { BillingBench } from './support/billing-bench.js';

type Plan = NonNullable<Organization['billing']>;

const postpaid = (cycleStartDate: string, billingFrequency: 'WEEKLY' | 'MONTHLY' = 'MONTHLY', creditRate = 0.5): Plan => ({
  type: 'POSTPAID', billingFrequency, cycleStartDate, creditRate, currency: 'USD',
});

describe('a billing cycle', () => {
  let bench: BillingBench;
  beforeAll(async () => {
    bench = await BillingBench.start();
  }, 120_000);
  afterEach(() => expectLedgerInvariants(bench.stack));
  afterAll(() => bench?.stop(), 60_000);

  const goTo = (instant: string) => (bench.clock.at = Date.parse(instant));
  /** Any other change of the organization, its name for one, carries its plan along. */
  const school = async (plan: Plan) => bench.update(`org_${randomUUID()}`, plan);

  it('is closed at its end, though the organization was changed between its end and its close', async () => {
    goTo('2026-11-05T00:00:00Z');
    const plan = postpaid('2026-11-01T00:00:00.000Z');
    const { organizationId, accountId } = await school(plan);
    await bench.lesson(organizationId, Date.parse('2026-11-30T23:00:00Z'), 600);
    goTo('2026-12-01T00:00:10Z');
    const changed = await bench.update(organizationId, plan);
    expect(changed).toMatchObject({ cycleStart: new Date('2026-11-01'), cycleEnd: new Date('2026-12-01') });
    goTo('2026-12-01T00:02:00Z');
    await bench.rollUp.execute(accountId);
    expect(await bench.statements(organizationId)).toEqual(['2026-11-01T00:00:00.000Z to 2026-12-01T00:00:00.000Z: 10']);
    expect(await bench.accounts.find(organizationId)).toMatchObject({ cycleStart: new Date('2026-12-01'), cycleEnd: new Date('2027-01-01'), cycleCredits: 0 });
  });

  it('is closed in its turn, though the organization was changed during a downtime over several', async () => {
    goTo('2026-11-02T00:00:00Z');
    const plan = postpaid('2026-11-02T00:00:00.000Z', 'WEEKLY');
    const { organizationId, accountId } = await school(plan);
    await bench.lesson(organizationId, Date.parse('2026-11-08T23:50:00Z'), 1_200);
    goTo('2026-11-25T12:00:00Z');
    await bench.update(organizationId, plan);
    await bench.rollUp.execute(accountId);
    expect(await bench.statements(organizationId)).toEqual([
      '2026-11-02T00:00:00.000Z to 2026-11-09T00:00:00.000Z: 10',
      '2026-11-09T00:00:00.000Z to 2026-11-16T00:00:00.000Z: 10',
      '2026-11-16T00:00:00.000Z to 2026-11-23T00:00:00.000Z: 0',
    ]);
  });

  it('is the first of a new rhythm where it is open, and the next is where it has ended', async () => {
    goTo('2026-11-10T00:00:00Z');
    const { organizationId, accountId } = await school(postpaid('2026-11-01T00:00:00.000Z'));
    const weekly = postpaid('2026-11-04T00:00:00.000Z', 'WEEKLY');
    expect(await bench.update(organizationId, weekly, new Date('2026-11-10T00:00:01Z'))).toMatchObject({ cycleStart: new Date('2026-11-01'), cycleEnd: new Date('2026-11-11') });
    goTo('2026-11-11T00:00:05Z');
    await bench.update(organizationId, postpaid('2026-11-20T00:00:00.000Z'));
    goTo('2026-11-21T00:00:00Z');
    await bench.rollUp.execute(accountId);
    expect(await bench.statements(organizationId)).toEqual([
      '2026-11-01T00:00:00.000Z to 2026-11-11T00:00:00.000Z: 0',
      '2026-11-11T00:00:00.000Z to 2026-11-20T00:00:00.000Z: 0',
    ]);
  });

  it('of an organization that is heard of weeks late begins with the one it was made in', async () => {
    goTo('2026-11-25T00:00:00Z');
    const { organizationId, accountId } = await bench.update(`org_${randomUUID()}`, postpaid('2026-11-02T00:00:00.000Z', 'WEEKLY'), new Date('2026-11-12T00:00:00Z'));
    await bench.rollUp.execute(accountId);
    expect(await bench.statements(organizationId)).toEqual([
      '2026-11-09T00:00:00.000Z to 2026-11-16T00:00:00.000Z: 0',
      '2026-11-16T00:00:00.000Z to 2026-11-23T00:00:00.000Z: 0',
    ]);
  });
});
