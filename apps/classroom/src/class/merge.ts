import type { ChatMessage, Poll } from '@classroom/contracts';

/** Merges both lists by version, each message once. Returns the same list if nothing is new. */
export function mergeMessages(known: readonly ChatMessage[], received: readonly ChatMessage[]): readonly ChatMessage[] {
  const ids = new Set(known.map(({ id }) => id));
  const added = received.filter(({ id }) => !ids.has(id) && ids.add(id));
  if (added.length === 0) return known;
  return [...known, ...added].sort((a, b) => a.version - b.version);
}

/** A poll only gains votes and closes once, so the closed one or the one with more votes is newer, in whatever order they arrive. */
export function mergePolls(known: readonly Poll[], received: readonly Poll[]): readonly Poll[] {
  const polls = new Map(known.map((poll) => [poll.pollId, poll]));
  let isChanged = false;
  for (const poll of received) {
    const before = polls.get(poll.pollId);
    if (before && !isNewer(poll, before)) continue;
    polls.set(poll.pollId, poll);
    isChanged = true;
  }
  return isChanged ? [...polls.values()].sort(byAge) : known;
}

function isNewer(poll: Poll, before: Poll): boolean {
  if (poll.status !== before.status) return poll.status === 'closed';
  return poll.totalVotes > before.totalVotes;
}

const byAge = (a: Poll, b: Poll) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.pollId < b.pollId ? -1 : 1);

/** Returns the same record if nothing is new. */
export function mergeVotes(
  known: Readonly<Record<string, number>>,
  received: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.entries(received).every(([pollId, option]) => known[pollId] === option) ? known : { ...known, ...received };
}
