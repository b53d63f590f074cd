import { toRange } from './usage-range.js';

describe('the range of a usage summary', () => {
  it('is all time without dates', () => {
    expect(toRange({})).toEqual({ from: null, before: null });
  });

  it('takes a day with all its hours in UTC', () => {
    expect(toRange({ startDate: '2026-01-31', endDate: '2026-01-31' })).toEqual({
      from: new Date('2026-01-31T00:00:00.000Z'),
      before: new Date('2026-02-01T00:00:00.000Z'),
    });
  });

  it('takes an instant with its millisecond, in any zone', () => {
    expect(toRange({ startDate: '2026-01-31T10:00:00+02:00', endDate: '2026-01-31T12:00:00.500Z' })).toEqual({
      from: new Date('2026-01-31T08:00:00.000Z'),
      before: new Date('2026-01-31T12:00:00.501Z'),
    });
  });
});
