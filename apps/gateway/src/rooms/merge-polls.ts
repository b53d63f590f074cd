import type { interactionRpc, RpcOutput } from '@classroom/contracts';

type Poll = RpcOutput<typeof interactionRpc.pollPage>['polls'][number];

/**
 * Joins the parts of polls that have too many votes for one page: each poll once, with its votes in the order in which they were cast.
 */
export function mergePolls(parts: readonly Poll[]): Poll[] {
  return [...Map.groupBy(parts, ({ pollId }) => pollId).values()].map((same) => ({
    ...(same[0] as Poll),
    votes: same.flatMap(({ votes }) => votes).sort((a, b) => a.votedAt.localeCompare(b.votedAt) || a.uid.localeCompare(b.uid)),
  }));
}
