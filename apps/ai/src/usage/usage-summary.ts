import { Injectable } from '@nestjs/common';
import type { agentRpc, RpcInput, RpcOutput } from '@classroom/contracts';
import { toRange } from './usage-range.js';
import { UsageRepository, type Spent } from './usage.repository.js';

/** What an organization's agent and tutors used. */
@Injectable()
export class UsageSummary {
  constructor(private readonly usage: UsageRepository) {}

  async execute({ organizationId, startDate, endDate }: RpcInput<typeof agentRpc.usage>): Promise<RpcOutput<typeof agentRpc.usage>> {
    const { agent, tutor, all } = await this.usage.ofOrganization(organizationId, toRange({ startDate, endDate }));
    return {
      summary: {
        totalSessions: all.chats,
        totalTokenCost: Number(all.cost),
        totalInputTokens: all.inputTokens,
        totalOutputTokens: all.outputTokens,
      },
      breakdown: {
        aiAgent: { sessions: agent.chats, ...toTokensAndCost(agent) },
        aiTutor: { interactions: tutor.interactions, ...toTokensAndCost(tutor) },
      },
    };
  }
}

/** A decimal inside, a number at the edge. */
export const toTokensAndCost = ({ inputTokens, outputTokens, cost }: Spent) => ({ inputTokens, outputTokens, cost: Number(cost) });
