import { Injectable } from '@nestjs/common';
import { getAiUsage, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { toRange } from './usage-range.js';
import { UsageRepository, type Spent } from './usage.repository.js';

/** What an organization's agent and tutors used. */
@Injectable()
export class UsageSummary {
  constructor(private readonly usage: UsageRepository) {}

  @Handles(getAiUsage)
  async execute({ organizationId, startDate, endDate }: RpcInput<typeof getAiUsage>) {
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
