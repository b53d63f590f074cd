import { Module } from '@nestjs/common';
import { ProvidersModule } from '../providers/providers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { Afterwork } from './afterwork.js';
import { AnswerTurn } from './answer-turn.js';
import { ChatLeases } from './chat-leases.js';
import { ChatsRepository } from './chats.repository.js';
import { DeadTurns } from './dead-turns.js';
import { LiveTurns } from './live-turns.js';
import { QuestionsRepository } from './questions.repository.js';
import { Remember } from './remember.js';

@Module({
  imports: [ProvidersModule, UsageModule],
  providers: [Afterwork, AnswerTurn, ChatLeases, ChatsRepository, DeadTurns, LiveTurns, QuestionsRepository, Remember],
  exports: [Afterwork, AnswerTurn, QuestionsRepository],
})
export class ChatsModule {}
