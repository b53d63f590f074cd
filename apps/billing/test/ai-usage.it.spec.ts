import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { CONSUMERS, usageRecorded, type EventData, type EventEnvelope } from '@classroom/contracts';
import { acceptOnce } from '@classroom/messaging';
import { inParallel } from '@classroom/platform';
import { envelopeOf, expectLedgerInvariants } from '@classroom/testing';
import { EnsureAccount } from '../src/plans/ensure-account.js';
import { AiMetersRepository } from '../src/ai-usage/ai-meters.repository.js';
import { ChargeAiUsage } from '../src/ai-usage/charge-ai-usage.js';
import { BillingFixture, Crash } from './support/billing-fixture.js';

type Usage = EventEnvelope<EventData<typeof usageRecorded>>;

/** At most as many charges as the pool has connections: a charge waits only so long for one. */
const CONCURRENCY = 10;

describe('AI usage that is priced in credits', () => {
  let fixture: BillingFixture;
  let charge: (usage: Usage) => Promise<void>;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
    const ensure = new EnsureAccount(fixture.database, fixture.accounts, fixture.applyPlan, fixture.rpc);
    const chargeAiUsage = new ChargeAiUsage(fixture.database, ensure, fixture.accounts, new AiMetersRepository(), fixture.postEntries);
    const { durable } = CONSUMERS.billingAiUsage;
    charge = (usage) => chargeAiUsage.execute(usage, (tx, id) => acceptOnce(tx, durable, id, fixture.clock.wall()));
  });
  afterAll(() => fixture?.stop());

  const use = (organizationId: string, credits: string): Usage =>
    envelopeOf(usageRecorded, randomUUID(), {
      organizationId,
      credits,
      usageId: randomUUID(),
      sid: null,
      kind: 'agent',
      inputTokens: 1,
      outputTokens: 1,
      at: new Date().toISOString(),
    }) as Usage;

  const taken = async (organizationId: string) => {
    const rows: { kind: string; credits: number }[] = await fixture.dataSource.query(
      `SELECT kind, credits FROM ledger_entries WHERE organization_id = $1 AND kind = 'AI_USAGE' ORDER BY position`,
      [organizationId],
    );
    return rows.map(({ credits }) => credits);
  };

  it('is summed with fractions, and charged in whole credits', async () => {
    const { organizationId } = await fixture.organization();
    for (const credits of ['0.3', '0.3', '0.4', '0.000000001', '2.5']) await charge(use(organizationId, credits));
    expect(await taken(organizationId)).toEqual([1, 1, 2]);
    await expectLedgerInvariants(fixture.stack);
  });

  it('is charged once, however often a fact is delivered and wherever the process dies', async () => {
    const organizations = await Promise.all(Array.from({ length: 3 }, async () => (await fixture.organization()).organizationId));
    const usages = Array.from({ length: 90 }, (_, n) => use(organizations[n % 3] as string, (((n * 7919) % 1000) / 777).toFixed(9)));
    let n = 0;
    fixture.database.fate = () => (['lives', 'dies-before-commit', 'dies-after-commit', 'lives', 'lives'] as const)[n++ % 5] ?? 'lives';
    let waiting = [...usages, ...usages.slice(0, 40)];
    while (waiting.length > 0) {
      const crashed: Usage[] = [];
      await inParallel(waiting, CONCURRENCY, async (usage) => {
        await charge(usage).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
          crashed.push(usage);
        });
      });
      waiting = crashed;
    }
    fixture.database.fate = () => 'lives';
    for (const organizationId of organizations) {
      const sum = usages
        .filter(({ data }) => data.organizationId === organizationId)
        .reduce((total, { data }) => total.plus(data.credits), new Decimal(0));
      expect((await taken(organizationId)).reduce((total, credits) => total + credits, 0)).toBe(sum.ceil().toNumber());
    }
    await expectLedgerInvariants(fixture.stack);
  });
});
