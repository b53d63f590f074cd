import type { Period } from '@classroom/contracts';
import type { Room } from './room.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';

const toSeconds = (time: Date | string) => Math.floor(new Date(time).getTime() / 1000);

/**
 * The period of time in which participants are expected: from the scheduled start or the first join to the scheduled end or, if that is earlier, the last
 * leave, which is before `emptyTimeout` ends the class. A class that has not ended counts up to `now`. Null: there was no lesson yet.
 * @param lastLeftAt seconds since 1970; null if no participant has left
 */
export function lessonOf(
  { startedAt, endedAt, ...room }: WithSettings & Pick<Room, 'startedAt' | 'endedAt'>,
  lastLeftAt: number | null,
  now: Date,
): Period | null {
  const { startsAt, endsAt } = settingsOf(room);
  const start = startsAt ?? startedAt;
  if (!start) return null;
  const from = toSeconds(start);
  const over = endedAt ? Math.min(toSeconds(endedAt), lastLeftAt !== null && lastLeftAt > from ? lastLeftAt : Infinity) : toSeconds(now);
  const until = Math.min(over, endsAt ? toSeconds(endsAt) : Infinity);
  return from < until ? [from, until] : null;
}
