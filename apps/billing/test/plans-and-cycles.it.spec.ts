import { randomUUID } from 'node:crypto';
import { array, asyncProperty, check, constantFrom, integer, record } from 'fast-check';
import type { Organization } from '@classroom/contracts';
import { byForm, expectLedgerInvariants } from '@classroom/testing';
import { signedCredits } from '../src/ledger/ledger-entry.js';
import { BillingFixture } from './support/billing-fixture.js';

type Plan = NonNullable<Organization['billing']>;

const RUNS = byForm({ short: 6, long: 60 });
const HOUR_MS = 3_600_000;

const step = record({
  what: constantFrom('use', 'use', 'rename', 'prepaid', 'weekly', 'monthly', 'top-up', 'roll-up', 'pause', 'downtime'),
  size: integer({ min: 1, max: 900 }),
});

/** Random sequences of usage, changes of the plan and of other fields, top-ups, and passing time with and without roll-ups. */
describe('plans and cycles', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  async function play(steps: readonly { what: string; size: number }[]): Promise<void> {
    const organizationId = `org_${randomUUID()}`;
    let plan: Plan = { type: 'PREPAID', credits: 500, creditRate: 0.5, currency: 'USD' };
    const openings = [500];
    let used = 0;
    fixture.clock.at = Date.parse('2026-01-31T10:00:00Z');
    const { accountId } = await fixture.update(organizationId, plan);
    const change = async (next: Plan) => {
      // LiveKit's times have whole seconds.
      fixture.clock.at += 1_000;
      if (next.type === 'PREPAID' && plan.type !== 'PREPAID') openings.push(next.credits);
      plan = next.type === 'PREPAID' && plan.type === 'PREPAID' ? plan : next;
      await fixture.update(organizationId, plan);
    };
    const postpaid = (billingFrequency: 'WEEKLY' | 'MONTHLY', cycleStartDate: string): Plan => ({
      type: 'POSTPAID',
      billingFrequency,
      cycleStartDate,
      creditRate: 0.5,
      currency: 'USD',
    });
    for (const { what, size } of steps) {
      const now = fixture.clock.at;
      if (what === 'use') {
        await fixture.lesson(organizationId, now, size * 60);
        fixture.clock.at += size * 60_000;
        used += size;
      } else if (what === 'rename') await change(plan);
      else if (what === 'prepaid') await change({ type: 'PREPAID', credits: size, creditRate: 0.5, currency: 'USD' });
      else if (what === 'weekly') await change(postpaid('WEEKLY', '2026-01-05T00:00:00.000Z'));
      else if (what === 'monthly') await change(postpaid('MONTHLY', '2025-12-31T00:00:00.000Z'));
      else if (what === 'top-up') {
        await fixture.database.transaction(async (tx) => {
          const account = await fixture.accounts.lock(tx, organizationId);
          if (account) await fixture.postEntries.execute(tx, account, [{ kind: 'TOP_UP', signedCredits: size, reference: randomUUID() }]);
        });
      } else if (what === 'pause') fixture.clock.at += size * 60_000;
      else if (what === 'downtime') fixture.clock.at += size * 2 * HOUR_MS;
      else await fixture.rollUp.execute([accountId]);
      await expectLedgerInvariants(fixture.stack);
    }
    fixture.clock.at += 60 * 24 * HOUR_MS;
    await fixture.rollUp.execute([accountId]);
    await expectLedgerInvariants(fixture.stack);
    const entries = (await fixture.ledger.page(organizationId, {}, 1_000)).toReversed();
    expect(entries.filter(({ kind }) => kind === 'OPENING').map(({ credits }) => credits)).toEqual(openings);
    expect(entries.filter(({ kind }) => kind === 'CHARGE').reduce((sum, entry) => sum - signedCredits(entry), 0)).toBe(used);
    expect(await fixture.audit()).toEqual([]);
  }

  it('leave no gap and no overlap, charge everything once, and open each prepaid period once', async () => {
    const { failed, seed, errorInstance } = await check(asyncProperty(array(step, { minLength: 5, maxLength: 14 }), play), {
      numRuns: RUNS,
      endOnFailure: true,
      ...(process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {}),
    });
    if (failed) throw new Error(`SEED=${seed} ${errorInstance instanceof Error ? errorInstance.message : ''}`, { cause: errorInstance });
  });
});
