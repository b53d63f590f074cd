import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { CONSUMERS, creditThresholdReached, usageRecorded, type EventData, type EventEnvelope } from '@classroom/contracts';
import { acceptOnce } from '@classroom/messaging';
import { inParallel } from '@classroom/platform';
import { envelopeOf, expectLedgerInvariants } from '@classroom/testing';
import { EnsureAccount } from '../src/plans/apply-plan.js';
import { AiMetersRepository } from '../src/metering/ai-usage.repository.js';
import { ChargeAiUsage } from '../src/charging/roll-up.js';
import { ClassroomsRepository } from '../src/ledger/accounts.repository.js';
import { PostCredits } from '../src/credits/get-balance.js';
import { BillingFixture, Crash } from './support/billing-fixture.js';

type Usage = EventEnvelope<EventData<typeof usageRecorded>>;

/** At most as many charges as the pool has connections: a charge waits only so long for one. */
const CONCURRENCY = 10;

describe('AI usage that is priced in credits', () => {
  let fixture: BillingFixture;
  let charge: (usage: Usage) => Promise<void>;
  let credits: PostCredits;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
    const ensure = new EnsureAccount(fixture.database, fixture.accounts, fixture.applyPlan, fixture.rpc);
    const { database, accounts, aiUsages, postEntries, closeCycles, ledger, clock } = fixture;
    const chargeAiUsage = new ChargeAiUsage(database, ensure, accounts, new AiMetersRepository(), aiUsages, postEntries, closeCycles);
    const classrooms = new ClassroomsRepository(database);
    credits = new PostCredits(database, ensure, accounts, ledger, postEntries, classrooms, closeCycles, clock);
    const { durable } = CONSUMERS.billingAiUsage;
    charge = (usage) => chargeAiUsage.execute(usage, (tx, id) => acceptOnce(tx, durable, id, fixture.clock.wall()));
  });
  afterAll(() => fixture?.stop());

  const use = (organizationId: string, credits: string, at = new Date().toISOString()): Usage =>
    envelopeOf(usageRecorded, randomUUID(), {
      organizationId,
      credits,
      usageId: randomUUID(),
      sid: null,
      kind: 'agent',
      inputTokens: 1,
      outputTokens: 1,
      at,
    }) as Usage;

  const taken = async (organizationId: string) => {
    const entries = await fixture.ledger.page(organizationId, { kind: 'AI_USAGE' }, 1_000);
    return entries.toReversed().map(({ credits }) => credits);
  };

  /** The ids of the usage behind each entry, oldest first, read in pages. */
  const explained = async (organizationId: string) => {
    const entries = await fixture.ledger.page(organizationId, { kind: 'AI_USAGE' }, 1_000);
    const found: string[][] = [];
    for (const { entryId } of entries.toReversed()) {
      const usageIds: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await fixture.explainEntry.execute({ organizationId, entryId, ...(cursor ? { cursor } : {}) });
        expect([page.isConsistent, page.entry.entryId]).toEqual([true, entryId]);
        usageIds.push(...(page.aiUsage ?? []).map(({ usageId }) => usageId));
        cursor = page.nextCursor;
      }
      found.push(usageIds);
    }
    return found;
  };

  it('is explained by the calls behind each entry, to its own organization alone', async () => {
    const [{ organizationId }, other] = [await fixture.organization(), await fixture.organization()];
    const sid = await fixture.lesson(organizationId, Math.floor(fixture.clock.at / 1_000) * 1_000, 60);
    const usages = ['0.4', '0.4', '0.7', '2.5'].map((credits) => use(organizationId, credits));
    Object.assign(usages[1]?.data ?? {}, { sid });
    for (const usage of usages) await charge(usage);
    const [a, b, c, d] = usages.map(({ data }) => data.usageId);
    expect(await explained(organizationId)).toEqual([[a], [b, c], [d]]);
    const [newest, second, first] = await fixture.ledger.page(organizationId, { kind: 'AI_USAGE' }, 3);
    expect(await fixture.explainEntry.execute({ organizationId, entryId: second?.entryId ?? '' })).toMatchObject({
      totalSeconds: 0,
      totalCredits: 2,
      chargedBefore: 1,
      sessions: [],
      aiUsage: [
        { usageId: b, kind: 'agent', roomId: `room-of-${sid}`, inputTokens: 1, outputTokens: 1, credits: 0.4 },
        { usageId: c, roomId: null, credits: 0.7 },
      ],
    });
    const foreign = fixture.explainEntry.execute({ organizationId: other.organizationId, entryId: newest?.entryId ?? '' });
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await fixture.stack.rows('DELETE FROM billing.ai_usages WHERE organization_id = $1 AND ai_sequence = 1', [organizationId]);
    await expect(fixture.explainEntry.execute({ organizationId, entryId: first?.entryId ?? '' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is summed with fractions, and charged in whole credits', async () => {
    const { organizationId } = await fixture.organization();
    for (const credits of ['0.3', '0.3', '0.4', '0.000000001', '2.5']) await charge(use(organizationId, credits));
    expect(await taken(organizationId)).toEqual([1, 1, 2]);
    await expectLedgerInvariants(fixture.stack);
  });

  describe('after the end of a cycle', () => {
    const [START, END, NEXT] = ['2026-11-02', '2026-11-09', '2026-11-16'].map((day) => `${day}T00:00:00.000Z`) as [string, string, string];
    const goTo = (instant: string, ms = 0) => (fixture.clock.at = Date.parse(instant) + ms);
    const after = (instant: string, seconds: number) => new Date(Date.parse(instant) + seconds * 1_000).toISOString();
    const postpaid = async () => {
      goTo(START);
      const account = await fixture.organization(new Date(START));
      await fixture.accounts.saveAlerts(account.organizationId, { remaining: [], consumed: [5, 20] });
      return account;
    };
    const post = (organizationId: string, amount: number) =>
      credits.execute({ organizationId, amount, reference: randomUUID(), note: 'a note' });
    const alerts = async (organizationId: string) =>
      (await fixture.facts(creditThresholdReached, { organizationId })).map(({ threshold, credits: used }) => `${threshold} at ${used}`);
    afterEach(async () => {
      await expectLedgerInvariants(fixture.stack);
      fixture.clock.at = Date.now();
    });

    it('is charged to the cycle of its own time, like top-ups and corrections, whether the ended one is closed or not', async () => {
      const { organizationId, accountId } = await postpaid();
      goTo(END, -60_000);
      await charge(use(organizationId, '2', after(END, -60)));
      goTo(END, 10_000);
      await charge(use(organizationId, '7', after(END, 5)));
      await charge(use(organizationId, '1', after(END, -1)));
      await post(organizationId, 2);
      await post(organizationId, -3);
      expect(await fixture.accounts.find(organizationId)).toMatchObject({ cycleStart: new Date(START), cycleCredits: -3, balance: -11 });
      await expectLedgerInvariants(fixture.stack);
      expect(await alerts(organizationId)).toEqual([]);
      goTo(END, 120_000);
      await fixture.rollUp.execute([accountId]);
      expect(await fixture.statements(organizationId)).toEqual([`${START} to ${END}: 3`]);
      expect(await fixture.accounts.find(organizationId)).toMatchObject({ cycleStart: new Date(END), cycleCredits: -8 });
      expect(await alerts(organizationId)).toEqual(['5 at 8']);
      await charge(use(organizationId, '4', after(END, -2)));
      await charge(use(organizationId, '9', after(END, 100)));
      expect(await alerts(organizationId)).toEqual(['5 at 8', '20 at 21']);
      goTo(NEXT, 120_000);
      await fixture.rollUp.execute([accountId]);
      expect(await fixture.statements(organizationId)).toEqual([`${START} to ${END}: 3`, `${END} to ${NEXT}: 21`]);
      const amounts = await fixture.closedCycles(organizationId);
      expect(amounts.map(({ amount }) => Number(amount))).toEqual([1.5, 10.5]);
    });

    it('is charged to the cycle of its own time also if several cycles were not closed', async () => {
      const { organizationId } = await postpaid();
      await charge(use(organizationId, '2', after(START, 1)));
      goTo(NEXT, 120_000);
      await charge(use(organizationId, '4', after(NEXT, 60)));
      await post(organizationId, 1);
      expect(await fixture.statements(organizationId)).toEqual([`${START} to ${END}: 2`, `${END} to ${NEXT}: 0`]);
      expect(await fixture.accounts.find(organizationId)).toMatchObject({ cycleStart: new Date(NEXT), cycleCredits: -3 });
    });

    it('is in a statement also if the plan ended before the end of its cycle', async () => {
      const { organizationId } = await postpaid();
      await charge(use(organizationId, '2', after(START, 1)));
      goTo(END, 10_000);
      await charge(use(organizationId, '7', after(END, 5)));
      const prepaid = { type: 'PREPAID' as const, credits: 100, creditRate: 0.5, currency: 'USD' };
      expect(await fixture.update(organizationId, prepaid, new Date(after(END, -5)))).toMatchObject({
        billingType: 'PREPAID',
        balance: 100,
      });
      const statements = await fixture.statements(organizationId);
      expect(statements.map((line) => line.split(': ')[1])).toEqual(['2', '7']);
    });
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
      const used = usages.filter(({ data }) => data.organizationId === organizationId).map(({ data }) => data.usageId);
      const charged = (await explained(organizationId)).flat();
      const uncharged = await fixture.stack.rows<{ usage_id: string }>(
        `SELECT usage_id FROM billing.ai_usages u JOIN billing.ai_meters m USING (organization_id) WHERE organization_id = $1 AND ai_sequence > sequence`,
        [organizationId],
      );
      expect([...charged, ...uncharged.map((row) => row.usage_id)].sort()).toEqual(used.sort());
    }
    await expectLedgerInvariants(fixture.stack);
  });
});
