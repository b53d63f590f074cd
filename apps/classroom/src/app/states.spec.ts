import { isEnding, OUTCOMES, reasonOf } from './states.js';

const fresh = { wasIn: false, isExpired: false };

describe('the reason that a participant is not in class', () => {
  it.each([
    ['ROOM_ENDED', 'ended', 'ended'],
    ['ROOM_FULL', 'full', 'error'],
    ['ROOM_NOT_FOUND', 'unknown-room', 'error'],
    ['FORBIDDEN', 'forbidden', 'error'],
    ['UNAUTHORIZED', 'invalid', 'error'],
    ['NO_ANSWER', 'unreachable', 'error'],
    ['INTERNAL_ERROR', 'failed', 'error'],
  ] as const)('for %s is %s, with the state %s', (code, reason, state) => {
    expect(reasonOf({ code }, fresh)).toBe(reason);
    expect(OUTCOMES[reason].state).toBe(state);
  });

  it('distinguishes an expired link from an invalid one and from a removal', () => {
    expect(reasonOf({ code: 'UNAUTHORIZED' }, { wasIn: false, isExpired: true })).toBe('expired');
    expect(reasonOf({ code: 'UNAUTHORIZED' }, { wasIn: true, isExpired: false })).toBe('refused');
  });

  it('includes only known endings', () => {
    expect([isEnding('empty'), isEnding('meteor'), isEnding(undefined)]).toEqual([true, false, false]);
  });
});
