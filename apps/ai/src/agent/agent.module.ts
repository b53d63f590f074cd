import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { InputsModule } from '../inputs/inputs.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { StandingModule } from '../standing/standing.module.js';
import { AgentChat } from './agent-chat.js';
import { ListVoices } from './list-voices.js';

@Module({
  imports: [ChatsModule, InputsModule, ProvidersModule, StandingModule],
  providers: [AgentChat, ListVoices],
})
export class AgentModule {}
