import { roomBudgetReached, type RoomBudget } from '@classroom/contracts';
import { expectLedgerInvariants } from '@classroom/testing';
import { BillingFixture } from './support/billing-fixture.js';
import { LiveRoom } from './support/live-room.js';

const PEOPLE = 10;

describe('the budget of a class', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterEach(async () => {
    fixture.database.fate = () => 'lives';
    await expectLedgerInvariants(fixture.stack);
  });
  afterAll(() => fixture?.stop());

  /** `[percent, credits]` of each published share, oldest first. */
  async function reached(sid: string): Promise<[number, number][]> {
    const facts = await fixture.facts(roomBudgetReached, { sid });
    return facts.map(({ percent, credits }) => [percent, credits]);
  }

  async function liveRoom(budget: RoomBudget) {
    const { organizationId, accountId } = await fixture.organization();
    const room = new LiveRoom(fixture, organizationId);
    await room.started({ budget });
    await room.join(PEOPLE);
    const rollUp = async () => {
      fixture.clock.at += 60_000;
      await room.verify();
      await fixture.rollUp.execute([accountId]);
    };
    return { room, organizationId, accountId, rollUp };
  }

  it('is reported at 50, 80 and 100 percent, each once and by the first charge that reaches it', async () => {
    const { room, rollUp, organizationId } = await liveRoom({ maxCredits: 45, onReached: 'endClass' });
    for (let minute = 0; minute < 7; minute++) {
      await rollUp();
      // The facts may arrive again, and others may have been late.
      await room.started({ budget: { maxCredits: 45, onReached: 'endClass' } });
    }
    expect(await reached(room.sid)).toEqual([
      [50, 30],
      [80, 40],
      [100, 50],
    ]);
    const [data] = await fixture.facts(roomBudgetReached, { sid: room.sid });
    const budget = { maxCredits: 45, onReached: 'endClass' };
    const reachedBy = { budget, budgetVersion: 0, isRepeated: false };
    expect(data).toEqual({ organizationId, sid: room.sid, roomId: `room-of-${room.sid}`, percent: 50, credits: 30, ...reachedBy });
  });

  it('is reported at once if the facts about it arrive after the charges', async () => {
    const { organizationId, accountId } = await fixture.organization();
    const room = new LiveRoom(fixture, organizationId);
    await room.join(PEOPLE);
    const rollUp = async () => {
      fixture.clock.at += 60_000;
      await room.verify();
      await fixture.rollUp.execute([accountId]);
    };
    for (let minute = 0; minute < 2; minute++) await rollUp();
    expect(await reached(room.sid)).toEqual([]);
    await room.started({ budget: { maxCredits: 20, onReached: 'warn' } });
    await rollUp();
    expect((await reached(room.sid)).map(([percent]) => percent)).toEqual([50, 80, 100]);
  });

  describe('when it changes', () => {
    it('leaves more if it is raised: a share is reported again by the charge that reaches it again', async () => {
      const { room, rollUp } = await liveRoom({ maxCredits: 40, onReached: 'warn' });
      for (let minute = 0; minute < 2; minute++) await rollUp();
      await room.rebudgeted({ maxCredits: 70, onReached: 'warn' }, 1);
      // What was given before, or has arrived already, may come late.
      await room.started({ budget: { maxCredits: 1, onReached: 'endClass' } });
      for (let minute = 0; minute < 2; minute++) await rollUp();
      // 40 of 75 is more than half of it already.
      await room.rebudgeted({ maxCredits: 75, onReached: 'warn' }, 3);
      await room.rebudgeted({ maxCredits: 1_000, onReached: 'warn' }, 2);
      for (let minute = 0; minute < 5; minute++) await rollUp();
      expect(await reached(room.sid)).toEqual([
        [50, 20],
        [50, 40],
        [80, 60],
        [100, 80],
      ]);
    });

    it('is reported by the next roll-up if it is lowered below the charges, also while the class is empty', async () => {
      const { room, rollUp } = await liveRoom({ maxCredits: 1_000, onReached: 'endClass' });
      for (let minute = 0; minute < 2; minute++) await rollUp();
      await room.leave();
      await rollUp();
      expect(await reached(room.sid)).toEqual([]);
      await room.rebudgeted({ maxCredits: 22, onReached: 'endClass' }, 1);
      await rollUp();
      expect(await reached(room.sid)).toEqual([
        [50, 20],
        [80, 20],
      ]);
      await room.rebudgeted({ maxCredits: 20, onReached: 'endClass' }, 2);
      for (let minute = 0; minute < 2; minute++) await rollUp();
      expect(await reached(room.sid)).toEqual([
        [50, 20],
        [80, 20],
        [100, 20],
      ]);
    });

    it('is not reported once it is removed, and from the beginning if there is one again', async () => {
      const { room, rollUp } = await liveRoom({ maxCredits: 20, onReached: 'warn' });
      await rollUp();
      await room.rebudgeted(null, 1);
      for (let minute = 0; minute < 2; minute++) await rollUp();
      expect(await reached(room.sid)).toEqual([[50, 10]]);
      await room.rebudgeted({ maxCredits: 60, onReached: 'warn' }, 2);
      await rollUp();
      expect(await reached(room.sid)).toEqual([
        [50, 10],
        [50, 40],
      ]);
    });

    it('and is used up already, asks the room service once for what happens now', async () => {
      const { room, rollUp, accountId } = await liveRoom({ maxCredits: 10, onReached: 'warn' });
      await rollUp();
      await room.rebudgeted({ maxCredits: 10, onReached: 'closeDoors' }, 1);
      const fates = ['dies-before-commit', 'dies-after-commit', 'lives'] as const;
      let n = 0;
      for (let minute = 0; minute < 3; minute++) {
        fixture.clock.at += 60_000;
        await room.verify();
        await fixture.chargeDespiteCrashes(accountId, () => fates[n++ % fates.length] ?? 'lives');
      }
      await room.rebudgeted({ maxCredits: 9, onReached: 'warn' }, 2);
      await rollUp();
      const first = { budgetVersion: 0, isRepeated: false };
      expect(await fixture.facts(roomBudgetReached, { sid: room.sid })).toMatchObject([
        { percent: 50, ...first },
        { percent: 80, ...first },
        { percent: 100, ...first },
        { percent: 100, budget: { maxCredits: 10, onReached: 'closeDoors' }, budgetVersion: 1, isRepeated: true },
      ]);
    });
  });

  it('is reported once, wherever the process dies, and overrun by one charge at most', async () => {
    const fates = ['dies-before-commit', 'dies-after-commit', 'dies-before-commit', 'lives'] as const;
    let n = 0;
    for (const maxCredits of [7, 33, 60]) {
      const { room, accountId } = await liveRoom({ maxCredits, onReached: 'endClass' });
      for (let minute = 0; minute < 8; minute++) {
        fixture.clock.at += 60_000;
        await room.verify();
        await fixture.chargeDespiteCrashes(accountId, () => fates[n++ % fates.length] ?? 'lives');
      }
      const shares = await reached(room.sid);
      expect(shares.map(([percent]) => percent)).toEqual([50, 80, 100]);
      for (const [percent, credits] of shares) {
        expect(credits * 100).toBeGreaterThanOrEqual(maxCredits * percent);
        expect((credits - PEOPLE) * 100).toBeLessThan(maxCredits * percent);
      }
    }
  });
});
