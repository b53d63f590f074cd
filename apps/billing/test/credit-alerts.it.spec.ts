import { creditThresholdReached } from '@classroom/contracts';
import { expectLedgerInvariants } from '@classroom/testing';
import { cycleAt } from '../src/plans/cycle.js';
import { SetCreditAlerts, toBalance } from '../src/credits/get-balance.js';
import { EnsureAccount } from '../src/plans/apply-plan.js';
import type { AccountEntity } from '../src/schema/account.entity.js';
import { BillingFixture } from './support/billing-fixture.js';
import { LiveRoom } from './support/live-room.js';

const MINUTE_MS = 60_000;
/** LiveKit takes whole seconds. */
const WHOLE_SECOND = Math.floor(Date.now() / 1_000) * 1_000;

let fixture: BillingFixture;
beforeAll(async () => {
  fixture = await BillingFixture.start();
  fixture.clock.at = WHOLE_SECOND;
});
afterAll(() => fixture?.stop());

describe('thresholds of an organization', () => {
  let setAlerts: SetCreditAlerts;
  beforeAll(() => {
    const { database, accounts, applyPlan, rpc } = fixture;
    setAlerts = new SetCreditAlerts(new EnsureAccount(database, accounts, applyPlan, rpc), accounts);
  });
  afterEach(() => expectLedgerInvariants(fixture.stack));

  /** `<type> <threshold>: <credits>`, oldest first. */
  async function reached(organizationId: string): Promise<string[]> {
    const facts = await fixture.facts(creditThresholdReached, { organizationId });
    return facts.map(({ type, threshold, credits }) => `${type} ${threshold}: ${credits}`);
  }

  const post = (organizationId: string, signedCredits: number) =>
    fixture.database.transaction(async (tx) => {
      const account = await fixture.accounts.lock(tx, organizationId);
      if (!account) throw new Error('no account');
      await fixture.postEntries.execute(tx, account, [{ kind: signedCredits > 0 ? 'TOP_UP' : 'CORRECTION', signedCredits }]);
    });

  it('are stored in order, each once', async () => {
    const { organizationId } = await fixture.organization();
    const alerts = { remaining: [1_000, 500, 100], consumed: [] };
    expect(await setAlerts.execute({ organizationId, remaining: [100, 1_000, 500, 100], consumed: [] })).toEqual(alerts);
    expect((await fixture.accounts.find(organizationId))?.alerts).toEqual(alerts);
  });

  it('are reported once for each time that a prepaid balance falls below them', async () => {
    const { organizationId } = await fixture.organization();
    await setAlerts.execute({ organizationId, remaining: [1_000, 900, 100], consumed: [1] });
    await post(organizationId, -1);
    await post(organizationId, -99);
    expect(await reached(organizationId)).toEqual(['remaining 1000: 999']);
    await post(organizationId, -850);
    const both = ['remaining 900: 50', 'remaining 100: 50'];
    expect(await reached(organizationId)).toEqual(['remaining 1000: 999', ...both]);
    await post(organizationId, -10);
    await post(organizationId, 60);
    await post(organizationId, -1);
    expect((await reached(organizationId)).slice(3)).toEqual(['remaining 100: 99']);
  });

  it('are reported once in each cycle of a postpaid plan', async () => {
    const start = new Date(fixture.clock.at - MINUTE_MS);
    const { organizationId, accountId } = await fixture.organization(start);
    await setAlerts.execute({ organizationId, remaining: [1_000], consumed: [10, 30] });
    for (const minutes of [9, 1, 5]) {
      await fixture.lesson(organizationId, fixture.clock.at, minutes * 60);
      await fixture.rollUp.execute([accountId]);
    }
    expect(await reached(organizationId)).toEqual(['consumed 10: 10']);
    fixture.clock.at = cycleAt(start, 'WEEKLY', start).end.getTime() + 5 * MINUTE_MS;
    await fixture.rollUp.execute([accountId]);
    await fixture.lesson(organizationId, fixture.clock.at, 40 * 60);
    await fixture.rollUp.execute([accountId]);
    expect((await reached(organizationId)).slice(1)).toEqual(['consumed 10: 40', 'consumed 30: 40']);
  });

  it('are reported once, wherever the process dies and however often it charges again', async () => {
    const { organizationId, accountId } = await fixture.organization();
    await setAlerts.execute({ organizationId, remaining: [999, 990, 980, 970, 950], consumed: [] });
    const room = new LiveRoom(fixture, organizationId);
    await room.join(10);
    const fates = ['dies-before-commit', 'dies-after-commit', 'lives', 'dies-after-commit'] as const;
    let n = 0;
    for (let minute = 0; minute < 6; minute++) {
      fixture.clock.at += 61_000;
      await room.verify();
      await fixture.chargeDespiteCrashes(accountId, () => fates[n++ % fates.length] ?? 'lives');
    }
    const balance = (await fixture.accounts.find(organizationId))?.balance ?? 0;
    expect(balance).toBeLessThan(950);
    expect((await reached(organizationId)).map((text) => text.split(':')[0])).toEqual(
      [999, 990, 980, 970, 950].map((threshold) => `remaining ${threshold}`),
    );
  });
});

describe('the forecast of a balance', () => {
  const now = new Date('2026-11-02T08:00:00.000Z');
  const forecastOf = (billingType: 'PREPAID' | 'POSTPAID', balance: number, count: number) => {
    const account = { billingType, balance, cycleCredits: balance, cycleStart: now, creditRate: '1', currency: 'EUR' } as AccountEntity;
    return toBalance(account, 1, { count, now }).forecast;
  };

  it.each([
    ['PREPAID', 300, 10, { creditsPerHour: 600, reachesZeroAt: '2026-11-02T08:30:00.000Z' }],
    ['PREPAID', 0, 10, { creditsPerHour: 600, reachesZeroAt: null }],
    ['POSTPAID', -300, 10, { creditsPerHour: 600 }],
    ['PREPAID', 300, 0, undefined],
  ] as const)('of a %s account with %i credits and %i participants is %j', (billingType, balance, connected, forecast) => {
    expect(forecastOf(billingType, balance, connected)).toEqual(forecast);
  });

  it('counts who is connected in live rooms', async () => {
    const { organizationId } = await fixture.organization();
    const room = new LiveRoom(fixture, organizationId);
    await room.join(3);
    await fixture.lesson(organizationId, fixture.clock.at, 60);
    expect(await fixture.sessions.countOpen(organizationId)).toBe(3);
  });
});
