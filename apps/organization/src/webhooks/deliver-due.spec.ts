import { MAX_ATTEMPTS, retryDelayMs } from './deliver-due.js';

const HOUR = 3_600_000;

it('spreads eleven attempts over 24 hours, each pause at least as long as the one before', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelayMs(index + 1, null, 0.5) ?? 0);
  expect(pauses).toHaveLength(10);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  const total = pauses.reduce((sum, pause) => sum + pause, 0);
  expect(total).toBeGreaterThan(23 * HOUR);
  expect(total).toBeLessThan(25 * HOUR);
  expect(retryDelayMs(MAX_ATTEMPTS, null)).toBeNull();
});

it('varies randomly by a fifth', () => {
  expect(retryDelayMs(1, null, 0)).toBe(4_000);
  expect(retryDelayMs(1, null, 1)).toBe(6_000);
});

it('waits as long as requested, and never shorter than without a request', () => {
  expect(retryDelayMs(1, 90_000, 0.5)).toBe(90_000);
  expect(retryDelayMs(10, 1_000, 0.5)).toBe(8 * HOUR);
  expect(retryDelayMs(MAX_ATTEMPTS, 90_000)).toBeNull();
});
