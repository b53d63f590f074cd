import type { ChatMessage, Poll } from '@classroom/contracts';

/** Merges both lists, each entry once in its newer form. Returns the same list if nothing is new. */
const merging =
  <T>(idOf: (entry: T) => string, isNewer: (entry: T, before: T) => boolean, order: (a: T, b: T) => number) =>
  (known: readonly T[], received: readonly T[]): readonly T[] => {
    const entries = new Map(known.map((entry) => [idOf(entry), entry]));
    let isChanged = false;
    for (const entry of received) {
      const before = entries.get(idOf(entry));
      if (before && !isNewer(entry, before)) continue;
      entries.set(idOf(entry), entry);
      isChanged = true;
    }
    return isChanged ? [...entries.values()].sort(order) : known;
  };

const reportsOf = ({ reports = 0 }: ChatMessage) => reports;

/** A message only gains reports until it is deleted, in whatever order its forms arrive. */
export const mergeMessages = merging<ChatMessage>(
  ({ id }) => id,
  (message, before) => !before.deletedAt && (!!message.deletedAt || reportsOf(message) > reportsOf(before)),
  (a, b) => a.version - b.version,
);

/**
 * A poll only gains votes and closes once, so the closed one or the one with more votes is newer, in whatever order they arrive. Of two
 * with as many votes, the one that tells what they are for tells more.
 */
export const mergePolls = merging<Poll>(({ pollId }) => pollId, isNewerPoll, byAge);

function isNewerPoll(poll: Poll, before: Poll): boolean {
  if (poll.status !== before.status) return poll.status === 'closed';
  return poll.totalVotes > before.totalVotes || (poll.totalVotes === before.totalVotes && shownVotes(poll) > shownVotes(before));
}

const shownVotes = ({ options }: Poll) => options.reduce((sum, { votes }) => sum + votes, 0);

function byAge(a: Poll, b: Poll): number {
  return Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.pollId < b.pollId ? -1 : 1);
}

/** Returns the same record if nothing is new. */
export function mergeVotes(
  known: Readonly<Record<string, number>>,
  received: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.entries(received).every(([pollId, option]) => known[pollId] === option) ? known : { ...known, ...received };
}
