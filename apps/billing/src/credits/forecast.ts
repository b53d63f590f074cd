import { SECONDS_PER_CREDIT } from '@classroom/contracts';

const SECONDS_PER_HOUR = 3_600;

/** Participants who are connected at `now`. */
export interface Connected {
  count: number;
  now: Date;
}

/** Credits that the participants use in an hour. */
export const creditsPerHour = ({ count }: Connected) => (count * SECONDS_PER_HOUR) / SECONDS_PER_CREDIT;

/** When the participants have used up the credits; null if none are left. */
export function reachesZeroAt(credits: number, { count, now }: Connected): string | null {
  if (credits <= 0) return null;
  return new Date(now.getTime() + ((credits * SECONDS_PER_CREDIT) / count) * 1_000).toISOString();
}
