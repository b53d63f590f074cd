import { daysBetween, daysOfMonth, isDay, isMonth, monthAfter, yearUntil } from './days.js';

describe('a month', () => {
  it.each([
    ['2026-01', '2026-01-01', '2026-01-31'],
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['2028-02', '2028-02-01', '2028-02-29'],
    ['2026-12', '2026-12-01', '2026-12-31'],
  ])('%s is from %s to %s', (month, from, to) => expect(daysOfMonth(month)).toEqual({ from, to }));

  it('is followed by the next, also over the end of a year', () => {
    expect(monthAfter('2026-12', 1)).toBe('2027-01');
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
    expect(monthAfter('2026-03', -14)).toBe('2025-01');
  });

  it('ends a year of twelve, which one report covers', () => {
    const year = yearUntil('2028-02');
    expect([year.length, year[0], year.at(-1)]).toEqual([12, '2027-03', '2028-02']);
    expect(daysBetween(daysOfMonth(year[0] ?? '').from, daysOfMonth('2028-02').to)).toHaveLength(366);
  });
});

it('the days between two days include both', () => {
  expect(daysBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(daysBetween('2026-02-27', '2026-02-27')).toEqual(['2026-02-27']);
  expect(daysBetween('2026-02-27', '2026-02-26')).toEqual([]);
});

it('an address may name only months and days that exist', () => {
  expect(['2026-01', '2026-13', '26-01', 7, undefined].map(isMonth)).toEqual([true, false, false, false, false]);
  expect(['2026-01-31', '2026-02-30', '2026-1-1', 'x', undefined].map(isDay)).toEqual([true, false, false, false, false]);
});
