import { Controller } from '@nestjs/common';
import { agentRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler, TextStreams } from '@classroom/messaging';
import { Providers } from '../providers/providers.js';
import { UsageSummary } from '../usage/usage-summary.js';
import { AgentChat } from './agent-chat.js';

@Controller()
export class AgentRpc {
  constructor(
    private readonly agentChat: AgentChat,
    private readonly usageSummary: UsageSummary,
    private readonly providers: Providers,
    private readonly streams: TextStreams,
  ) {}

  @RpcHandler(agentRpc.chat)
  async chat({ inbox, ...input }: RpcInput<typeof agentRpc.chat>) {
    return this.streams.open(inbox, (signal) => this.agentChat.execute(input, signal));
  }

  @RpcHandler(agentRpc.voices)
  async voices({ organizationId }: RpcInput<typeof agentRpc.voices>) {
    const { provider } = await this.providers.of(organizationId);
    return { voices: await provider.voices() };
  }

  @RpcHandler(agentRpc.usage)
  async usage(input: RpcInput<typeof agentRpc.usage>) {
    return this.usageSummary.execute(input);
  }
}
