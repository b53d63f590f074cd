import { verdictOf } from './verdict.js';

it.each([
  ['{"allow": true}', null, true],
  ['{"allow": false, "reason": "expelled"}', null, false],
  ['{"allow": "no"}', null, undefined],
  ['{}', null, undefined],
  ['ok', null, undefined],
  ['', null, undefined],
  [null, 'timeout', undefined],
  ['{"allow": true}', 'status', undefined],
  ['{"allow": true}', 'redirect', undefined],
] as const)('the answer %j with the error %j means %j', (responseBody, error, verdict) => {
  expect(verdictOf({ responseBody, error })).toBe(verdict);
});
