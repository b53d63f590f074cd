import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { CONSUMERS, usageRecorded, type EventData, type EventEnvelope } from '@classroom/contracts';
import { acceptOnce } from '@classroom/messaging';
import { envelopeOf, expectLedgerInvariants } from '@classroom/testing';
import { EnsureAccount } from '../src/plans/ensure-account.js';
import { AiMetersRepository } from '../src/ai-usage/ai-meters.repository.js';
import { ChargeAiUsage } from '../src/ai-usage/charge-ai-usage.js';
import { BillingBench, Crash } from './support/billing-bench.js';

type Usage = EventEnvelope<EventData<typeof usageRecorded>>;

describe('AI usage that is priced in credits', () => {
  let bench: BillingBench;
  let charge: (usage: Usage) => Promise<void>;
  beforeAll(async () => {
    bench = await BillingBench.start();
    const ensure = new EnsureAccount(bench.database, bench.accounts, bench.applyPlan, bench.rpc);
    const chargeAiUsage = new ChargeAiUsage(bench.database, ensure, bench.accounts, new AiMetersRepository(), bench.postEntries);
    const { durable } = CONSUMERS.billingAiUsage;
    charge = (usage) => chargeAiUsage.execute(usage, (tx, id) => acceptOnce(tx, durable, id, bench.clock.wall()));
  });
  afterAll(() => bench?.stop());

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
    const rows: { kind: string; credits: number }[] = await bench.dataSource.query(
      `SELECT kind, credits FROM ledger_entries WHERE organization_id = $1 AND kind = 'AI_USAGE' ORDER BY position`,
      [organizationId],
    );
    return rows.map(({ credits }) => credits);
  };

  it('is summed with fractions, and charged in whole credits', async () => {
    const { organizationId } = await bench.organization();
    for (const credits of ['0.3', '0.3', '0.4', '0.000000001', '2.5']) await charge(use(organizationId, credits));
    expect(await taken(organizationId)).toEqual([1, 1, 2]);
    await expectLedgerInvariants(bench.stack);
  });

  it('is charged once, however often a fact is delivered and wherever the process dies', async () => {
    const organizations = await Promise.all(Array.from({ length: 3 }, async () => (await bench.organization()).organizationId));
    const told = Array.from({ length: 90 }, (_, n) => use(organizations[n % 3] as string, (((n * 7919) % 1000) / 777).toFixed(9)));
    let n = 0;
    bench.database.fate = () => (['lives', 'dies-before-commit', 'dies-after-commit', 'lives', 'lives'] as const)[n++ % 5] ?? 'lives';
    let waiting = [...told, ...told.slice(0, 40)];
    while (waiting.length > 0) {
      const outcomes = await Promise.allSettled(waiting.map((usage) => charge(usage)));
      const unexpected = outcomes.find((it) => it.status === 'rejected' && !(it.reason instanceof Crash));
      if (unexpected?.status === 'rejected') throw unexpected.reason;
      waiting = waiting.filter((_, index) => outcomes[index]?.status === 'rejected');
    }
    bench.database.fate = () => 'lives';
    for (const organizationId of organizations) {
      const sum = told
        .filter(({ data }) => data.organizationId === organizationId)
        .reduce((total, { data }) => total.plus(data.credits), new Decimal(0));
      expect((await taken(organizationId)).reduce((total, credits) => total + credits, 0)).toBe(sum.ceil().toNumber());
    }
    await expectLedgerInvariants(bench.stack);
  });
});
