import type { RoomBudget } from '@classroom/contracts';
import { newRoomSid, withBudget } from './room.js';

describe('a sid', () => {
  it('is another one each time', () => {
    const sids = Array.from({ length: 1_000 }, () => newRoomSid());
    expect(new Set(sids).size).toBe(1_000);
    for (const sid of sids) expect(sid).toMatch(/^RM_[A-Za-z0-9]{16}$/);
  });
});

const budget = (maxCredits: number, onReached: RoomBudget['onReached'] = 'closeDoors'): RoomBudget => ({ maxCredits, onReached });

describe('a change of the budget', () => {
  const room = { settings: { budget: budget(100) }, budgetVersion: 2, doorsClosed: true };

  it('counts as one only if it differs', () => {
    expect(withBudget(room, budget(100))).toEqual({ budgetVersion: 2, doorsClosed: true });
    expect(withBudget(room, budget(99))).toEqual({ budgetVersion: 3, doorsClosed: true });
    expect(withBudget({ settings: {}, budgetVersion: 0, doorsClosed: false }, budget(5))).toEqual({
      budgetVersion: 1,
      doorsClosed: false,
    });
  });

  it('opens closed doors if it leaves more, or does not close them', () => {
    for (const changed of [budget(101), budget(50, 'warn'), budget(50, 'endClass'), null])
      expect(withBudget(room, changed)).toEqual({ budgetVersion: 3, doorsClosed: false });
  });
});
