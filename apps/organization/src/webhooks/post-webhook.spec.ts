import { parseRetryAfter } from './post-webhook.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');

it.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['999999999', 86_400_000],
  ['0', null],
  ['Mon, 31 Dec 2029 23:59:00 GMT', null],
  ['soon', null],
  ['-5', null],
  [undefined, null],
])('Retry-After: %s', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});
