import type { Poll } from '@classroom/contracts';
import { z } from 'zod';
import type { PollEntity } from '../schema/poll.entity.js';

type PollRow = Omit<PollEntity, 'sid' | 'version'> & { counts: unknown };

/** Votes by the index of the option; options without votes are left out. */
const votesByOption = z.record(z.string(), z.number().int());

export function toPoll({ pollId, question, options, counts, createdBy, creator, createdAt, closedAt }: PollRow): Poll {
  const votes = votesByOption.parse(counts);
  const answers = options.map((text, index) => ({ text, votes: votes[String(index)] ?? 0 }));
  return {
    pollId,
    question,
    options: answers,
    status: closedAt ? 'closed' : 'open',
    totalVotes: answers.reduce((sum, answer) => sum + answer.votes, 0),
    createdBy: { uid: createdBy, name: creator },
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  };
}
