import { toFailure } from './failure.js';

it.each([
  [403, 'expired'],
  [410, 'expired'],
  [404, 'missing'],
  [400, 'failed'],
  [0, undefined],
  [429, undefined],
  [500, undefined],
  [503, undefined],
])('a storage that answers %d means %s', (status, failure) => expect(toFailure(status)).toBe(failure));
