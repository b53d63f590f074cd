import { bufferedEnd, formatTime } from './time.js';

it.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3665, '1:01:05'],
  [36_000, '10:00:00'],
  [Number.NaN, '0:00'],
  [Number.POSITIVE_INFINITY, '0:00'],
])('%d seconds are %s', (seconds, clock) => expect(formatTime(seconds)).toBe(clock));

it('finds the end of the buffered range at the playback position', () => {
  const pairs = [
    [0, 4],
    [10, 20],
  ] as const;
  const ranges = { length: 2, start: (at: number) => pairs[at]?.[0] ?? 0, end: (at: number) => pairs[at]?.[1] ?? 0 };
  expect([0, 4, 5, 9.95, 12].map((time) => bufferedEnd(ranges, time))).toEqual([4, 4, 5, 20, 20]);
});
