import { Injectable } from '@nestjs/common';
import { getAiUsage, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { toRange, UsageRepository, type UsageTotals } from './usage.repository.js';

/** Usage of an organization's agent and tutors. */
@Injectable()
export class SummarizeAiUsage {
  constructor(private readonly usage: UsageRepository) {}

  @Handles(getAiUsage)
  async getAiUsage({ organizationId, startDate, endDate }: RpcInput<typeof getAiUsage>) {
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

/** Costs are decimals internally; they become numbers only in the response. */
export const toTokensAndCost = ({ inputTokens, outputTokens, cost }: UsageTotals) => ({ inputTokens, outputTokens, cost: Number(cost) });
