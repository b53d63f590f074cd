import { isEndReason, OUTCOMES, toOutcomeReason } from './outcomes.js';

const fresh = { wasInClass: false, isExpired: false };

describe('the reason that a participant is not in class', () => {
  it.each([
    ['ROOM_ENDED', 'ended', 'ended'],
    ['ROOM_FULL', 'full', 'error'],
    ['ALREADY_CONNECTED', 'replaced', 'error'],
    ['CONSENT_REQUIRED', 'no-consent', 'idle'],
    ['ADMISSION_REFUSED', 'not-admitted', 'idle'],
    ['ROOM_NOT_FOUND', 'unknown-room', 'error'],
    ['FORBIDDEN', 'forbidden', 'error'],
    ['UNAUTHORIZED', 'invalid', 'error'],
    ['NO_ANSWER', 'unreachable', 'error'],
    ['INTERNAL_ERROR', 'failed', 'error'],
  ] as const)('for %s is %s, with the state %s', (code, reason, state) => {
    expect(toOutcomeReason({ code }, fresh)).toBe(reason);
    expect(OUTCOMES[reason].state).toBe(state);
  });

  it('distinguishes an expired link from an invalid one and from a removal', () => {
    expect(toOutcomeReason({ code: 'UNAUTHORIZED' }, { wasInClass: false, isExpired: true })).toBe('expired');
    expect(toOutcomeReason({ code: 'UNAUTHORIZED' }, { wasInClass: true, isExpired: false })).toBe('refused');
  });

  it('includes only known endings', () => {
    expect([isEndReason('empty'), isEndReason('meteor'), isEndReason(undefined)]).toEqual([true, false, false]);
  });
});
