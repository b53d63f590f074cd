import { z } from 'zod';
import { instant } from './values.js';
import { queryInteger, queryIntegerOr } from './fields.js';

describe('a number in a query', () => {
  const query = z.object({ after: queryInteger({ min: 0 }).optional(), limit: queryIntegerOr(20, { min: 1, max: 100 }) });

  it.each([
    ['nothing', {}, { limit: 20 }],
    ['digits', { after: '0', limit: '100' }, { after: 0, limit: 100 }],
    ['leading zeros', { limit: '007' }, { limit: 7 }],
  ])('is read from %s', (_, given, read) => expect(query.parse(given)).toEqual(read));

  // JavaScript would convert all of these to numbers.
  it.each(['', ' ', ' 5', '5 ', '+5', '0x10', '1e1', '5.0', '1_0', '٥'])('is not “%s”', (text) => {
    expect(query.safeParse({ limit: text }).error?.issues).toEqual([expect.objectContaining({ path: ['limit'], code: 'invalid_type' })]);
  });

  it.each(['0', '-1', '101', '99999999999999999999'])('is within its bounds, which %s is not', (text) =>
    expect(query.safeParse({ limit: text }).success).toBe(false),
  );

  it('is not repeated', () => expect(query.safeParse({ limit: ['1', '2'] }).success).toBe(false));
});

describe('an instant in a request', () => {
  it.each(['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.125Z', '2026-01-31T09:00:00+01:00', '2026-01-31T08:00:00.123456-05:00'])(
    'may be %s',
    (text) => expect(instant.parse(text)).toBe(text),
  );
  it('is in UTC without an offset', () => {
    expect(['2026-01-31T08:00:00', '2026-01-31T08:00:00.125'].map((text) => instant.parse(text))).toEqual([
      '2026-01-31T08:00:00Z',
      '2026-01-31T08:00:00.125Z',
    ]);
  });
  it.each(['2026-01-31', '2026-02-30T08:00:00Z', '2026-01-31 08:00:00Z', '1769846400'])('is not %s', (text) =>
    expect(instant.safeParse(text).success).toBe(false),
  );
});
