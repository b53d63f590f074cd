import { toRange } from './usage.repository.js';

describe('the range of a usage summary', () => {
  it('is unlimited without dates', () => {
    expect(toRange({})).toEqual({ from: null, before: null });
  });

  it('includes all hours of a day in UTC', () => {
    expect(toRange({ startDate: '2026-01-31', endDate: '2026-01-31' })).toEqual({
      from: new Date('2026-01-31T00:00:00.000Z'),
      before: new Date('2026-02-01T00:00:00.000Z'),
    });
  });

  it('includes the millisecond of an instant, in any time zone', () => {
    expect(toRange({ startDate: '2026-01-31T10:00:00+02:00', endDate: '2026-01-31T12:00:00.500Z' })).toEqual({
      from: new Date('2026-01-31T08:00:00.000Z'),
      before: new Date('2026-01-31T12:00:00.501Z'),
    });
  });
});
