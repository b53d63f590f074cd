import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { InputsModule } from '../inputs/inputs.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { AiCreditStatusModule } from '../credit-status/ai-credit-status.module.js';
import { AnswerAgentChat } from './answer-agent-chat.js';
import { ListVoices } from './list-voices.js';

@Module({
  imports: [ChatsModule, InputsModule, ProvidersModule, AiCreditStatusModule],
  providers: [AnswerAgentChat, ListVoices],
})
export class AgentModule {}
