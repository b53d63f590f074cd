import type { interactionRpc, RpcOutput } from '@classroom/contracts';

type Poll = RpcOutput<typeof interactionRpc.pollPage>['polls'][number];

/** Polls as their pages gave them, where one with many votes comes in several: each once, its votes in the order in which they were given. */
export function joinPolls(parts: readonly Poll[]): Poll[] {
  return [...Map.groupBy(parts, ({ pollId }) => pollId).values()].map((same) => ({
    ...(same[0] as Poll),
    votes: same.flatMap(({ votes }) => votes).sort((a, b) => a.votedAt.localeCompare(b.votedAt) || a.uid.localeCompare(b.uid)),
  }));
}
