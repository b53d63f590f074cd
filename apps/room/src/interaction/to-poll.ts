import type { Poll } from '@classroom/contracts';
import { z } from 'zod';
import type { PollEntity } from '../schema/poll.entity.js';

type PollRow = Omit<PollEntity, 'sid' | 'version'> & { counts: unknown };

/** Votes by the index of the option; options without votes are left out. */
const votesByOption = z.record(z.string(), z.number().int());

/** A poll with everything that is known of it. What a class sees of it: `asSeenInClass`. */
export function toPoll({
  pollId,
  question,
  options,
  counts,
  hideResult,
  correctOption,
  createdBy,
  creator,
  createdAt,
  closedAt,
}: PollRow): Poll {
  const votes = votesByOption.parse(counts);
  const answers = options.map((text, index) => ({ text, votes: votes[String(index)] ?? 0 }));
  return {
    pollId,
    question,
    options: answers,
    ...(hideResult && { hideResult }),
    ...(correctOption !== null && { correctOption }),
    status: closedAt ? 'closed' : 'open',
    totalVotes: answers.reduce((sum, answer) => sum + answer.votes, 0),
    createdBy: { uid: createdBy, name: creator },
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  };
}

/** Whether `poll` looks different for those who manage polls and for the others. */
export const hidesVotes = ({ status, hideResult }: Poll): boolean => status === 'open' && hideResult === true;

/** While a poll is open, no participant learns which option is correct, and only who manages polls which option was chosen how often. */
export function asSeenInClass(poll: Poll, viewer: { managesPolls: boolean }): Poll {
  if (poll.status === 'closed') return poll;
  const { correctOption: _, ...open } = poll;
  if (!hidesVotes(poll) || viewer.managesPolls) return open;
  return { ...open, options: open.options.map(({ text }) => ({ text, votes: 0 })) };
}
