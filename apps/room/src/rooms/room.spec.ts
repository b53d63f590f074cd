import type { RoomBudget, RoomSettings } from '@classroom/contracts';
import { isNoticeDue, newRoomSid, nextStepAt, opensAtFor, plannedEnd, scheduledEnd, withBudget } from './room.js';

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

const at = (time: string) => new Date(`2030-01-15T${time}:00.000Z`);
const iso = (time: string) => at(time).toISOString();
const LESSON = { startsAt: iso('10:00'), endsAt: iso('11:00') };
const room = (settings: Partial<RoomSettings>, state: 'created' | 'live' = 'created', startedAt: Date | null = null) => ({
  settings,
  state,
  startedAt,
});

it('a room opens ten minutes before the lesson unless the schedule says otherwise, for some roles at any time', () => {
  expect(opensAtFor(room(LESSON), 'STUDENT')).toEqual(at('09:50'));
  expect(opensAtFor(room({ ...LESSON, joinBefore: 0 }), 'MODERATOR')).toEqual(at('10:00'));
  expect([opensAtFor(room(LESSON), 'TEACHER'), opensAtFor(room(LESSON), 'ADMIN'), opensAtFor(room({}), 'STUDENT')]).toEqual([
    null,
    null,
    null,
  ]);
});

it('a class ends at the earlier of its ends; the one of maxDuration counts from the first join or the start', () => {
  const limited = { ...LESSON, maxDuration: 1_800 };
  expect(scheduledEnd(room(limited))).toEqual(at('11:00'));
  expect(scheduledEnd(room(limited, 'live', at('09:00')))).toEqual(at('10:30'));
  expect(scheduledEnd(room(limited, 'live', at('10:20')))).toEqual(at('10:50'));
  expect(scheduledEnd(room({ maxDuration: 60 }))).toBeNull();
  expect(plannedEnd(room({ startsAt: LESSON.startsAt, maxDuration: 1_800 }))).toEqual(at('10:30'));
});

it('the next step is to open, then to give notice, then to end', () => {
  expect(nextStepAt(room(LESSON), at('08:00'))).toEqual(at('09:50'));
  expect(nextStepAt(room(LESSON), at('09:50'))).toEqual(at('11:00'));
  const live = room(LESSON, 'live', at('10:00'));
  expect(nextStepAt(live, at('10:00'))).toEqual(at('10:50'));
  expect(nextStepAt(live, at('10:50'))).toEqual(at('11:00'));
  expect(nextStepAt(room({ joinBefore: 9 }), at('08:00'))).toBeNull();
});

it('notice is due once for each end of a live class', () => {
  const live = room(LESSON, 'live', at('10:00'));
  expect([isNoticeDue(live, null, at('10:49')), isNoticeDue(live, null, at('10:50'))]).toEqual([false, true]);
  expect([isNoticeDue(live, at('11:00'), at('10:51')), isNoticeDue(live, at('10:30'), at('10:51'))]).toEqual([false, true]);
  expect(isNoticeDue(room(LESSON), null, at('10:50'))).toBe(false);
  // Another estimate of LiveKit's clock is not another end.
  expect(isNoticeDue(live, new Date(at('11:00').getTime() + 1_000), at('10:51'))).toBe(false);
});
