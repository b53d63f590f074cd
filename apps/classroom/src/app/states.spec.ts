import { isEnding, OUTCOMES, reasonOf } from './states.js';

const fresh = { wasIn: false, isExpired: false };

describe('why one is not in class', () => {
  it.each([
    ['ROOM_ENDED', 'ended', 'ended'],
    ['ROOM_FULL', 'full', 'error'],
    ['ROOM_NOT_FOUND', 'unknown-room', 'error'],
    ['FORBIDDEN', 'forbidden', 'error'],
    ['UNAUTHORIZED', 'invalid', 'error'],
    ['NO_ANSWER', 'unreachable', 'error'],
    ['INTERNAL_ERROR', 'failed', 'error'],
  ] as const)('%s is %s, a state of %s', (code, reason, state) => {
    expect(reasonOf({ code }, fresh)).toBe(reason);
    expect(OUTCOMES[reason].state).toBe(state);
  });

  it('tells a link that is too old from one that is wrong, and a class that put one out', () => {
    expect(reasonOf({ code: 'UNAUTHORIZED' }, { wasIn: false, isExpired: true })).toBe('expired');
    expect(reasonOf({ code: 'UNAUTHORIZED' }, { wasIn: true, isExpired: false })).toBe('refused');
  });

  it('takes only the endings it has words for', () => {
    expect([isEnding('empty'), isEnding('meteor'), isEnding(undefined)]).toEqual([true, false, false]);
  });
});
