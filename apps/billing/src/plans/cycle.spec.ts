import { cycleAt } from './cycle.js';

const at = (text: string) => new Date(text);
const days = (anchor: string, frequency: 'WEEKLY' | 'MONTHLY', instant: string) => {
  const { start, end } = cycleAt(at(anchor), frequency, at(instant));
  return [start.toISOString(), end.toISOString()];
};

describe('cycleAt', () => {
  it.each([
    ['2026-01-31T00:00:00Z', '2026-02-15T12:00:00Z', '2026-01-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z', '2026-02-28T00:00:00.000Z', '2026-03-31T00:00:00.000Z'],
    ['2028-01-30T00:00:00Z', '2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z', '2028-03-30T00:00:00.000Z'],
    ['2026-12-15T09:30:00Z', '2027-01-15T09:29:59Z', '2026-12-15T09:30:00.000Z', '2027-01-15T09:30:00.000Z'],
    ['2026-05-10T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-10T00:00:00.000Z', '2026-03-10T00:00:00.000Z'],
  ])('is monthly from %s: %s is in %s to %s', (anchor, instant, start, end) => {
    expect(days(anchor, 'MONTHLY', instant)).toEqual([start, end]);
  });

  it.each([
    ['2026-11-02T00:00:00Z', '2026-11-08T23:59:59Z', '2026-11-02T00:00:00.000Z', '2026-11-09T00:00:00.000Z'],
    ['2026-11-02T00:00:00Z', '2026-11-09T00:00:00Z', '2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
    ['2026-11-02T00:00:00Z', '2026-10-31T00:00:00Z', '2026-10-26T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
  ])('is weekly from %s: %s is in %s to %s', (anchor, instant, start, end) => {
    expect(days(anchor, 'WEEKLY', instant)).toEqual([start, end]);
  });

  it('leaves no gap and no overlap over ten years', () => {
    for (const frequency of ['WEEKLY', 'MONTHLY'] as const) {
      let cycle = cycleAt(at('2026-01-31T10:00:00Z'), frequency, at('2026-02-01T00:00:00Z'));
      for (let n = 0; n < 120; n++) {
        const next = cycleAt(at('2026-01-31T10:00:00Z'), frequency, cycle.end);
        expect(next.start).toEqual(cycle.end);
        cycle = next;
      }
    }
  });
});
