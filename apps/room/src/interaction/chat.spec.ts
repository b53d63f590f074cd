import { remainingWait, tooEarly } from './chat.js';

const at = (seconds: number) => new Date(1_000_000 + seconds * 1000);

describe('slow mode', () => {
  it.each([
    [30, undefined, 0, 0],
    [0, 10, 10, 0],
    [30, 10, 10, 30_000],
    [30, 10, 39.5, 500],
    [30, 10, 40, 0],
    [30, 10, 100, 0],
    [30, 100, 10, 30_000],
  ])('of %d s after a message at %p leaves, at %d, a wait of %d ms', (slowModeSeconds, last, now, expected) => {
    expect(remainingWait(slowModeSeconds, last === undefined ? undefined : at(last), at(now))).toBe(expected);
  });

  it('states the wait in whole seconds, rounded up', () => {
    expect(tooEarly('Slow mode', 1).details).toEqual([{ path: 'retryAfter', message: '1' }]);
    expect(tooEarly('Slow mode', 1_001)).toMatchObject({ code: 'RATE_LIMITED', details: [{ message: '2' }] });
  });
});
