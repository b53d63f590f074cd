import { nextCheck } from './domains.js';

const DAY = 86_400_000;
const createdAt = new Date('2026-01-15T09:00:00Z');
/** Minutes until the record is looked for again; null: on request only. */
const minutesAfter = (days: number, provedAt: Date | null = null) => {
  const now = new Date(createdAt.getTime() + days * DAY);
  const next = nextCheck({ createdAt, provedAt }, now);
  return next && (next.getTime() - now.getTime()) / 60_000;
};

describe('the record of a domain', () => {
  it('is awaited often, then daily, then on request only', () =>
    expect([0, 2.9, 3, 29.9, 30, 300].map((days) => minutesAfter(days))).toEqual([15, 15, 1440, 1440, null, null]));

  it('that was found is looked for every day', () => expect([0, 300].map((days) => minutesAfter(days, createdAt))).toEqual([1440, 1440]));
});
