import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { InputsModule } from '../inputs/inputs.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { StandingModule } from '../standing/standing.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AgentChat } from './agent-chat.js';
import { AgentRpc } from './agent.rpc.js';

@Module({
  imports: [ChatsModule, InputsModule, ProvidersModule, StandingModule, UsageModule],
  controllers: [AgentRpc],
  providers: [AgentChat],
})
export class AgentModule {}
