export type Frequency = 'WEEKLY' | 'MONTHLY';

/** A billing cycle in UTC: `start` is inclusive and `end` exclusive. */
export interface Cycle {
  start: Date;
  end: Date;
}

const WEEK_MS = 7 * 86_400_000;

/** The start of the n-th cycle from the anchor. If a month is too short for the anchor's day, its cycle begins on its last day. */
function startOf(anchor: Date, frequency: Frequency, n: number): Date {
  if (frequency === 'WEEKLY') return new Date(anchor.getTime() + n * WEEK_MS);
  const months = anchor.getUTCMonth() + n;
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const start = new Date(anchor);
  // Set the day first: setting the month on the 31st could roll over into the month after.
  start.setUTCDate(1);
  start.setUTCMonth(months);
  start.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return start;
}

/** The cycle that contains `instant`, which may be before or after the anchor. */
export function cycleAt(anchor: Date, frequency: Frequency, instant: Date): Cycle {
  const elapsed = instant.getTime() - anchor.getTime();
  const length = frequency === 'WEEKLY' ? WEEK_MS : 31 * 86_400_000;
  // Begins with an earlier cycle and moves forward to the one that contains the instant.
  let n = Math.floor(elapsed / length) - 1;
  while (startOf(anchor, frequency, n + 1).getTime() <= instant.getTime()) n += 1;
  return { start: startOf(anchor, frequency, n), end: startOf(anchor, frequency, n + 1) };
}
