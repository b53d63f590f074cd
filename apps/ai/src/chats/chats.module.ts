import { Module } from '@nestjs/common';
import { ProvidersModule } from '../providers/providers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { DeferredWork } from './deferred-work.js';
import { AnswerTurn } from './answer-turn.js';
import { ChatLeases } from './chat-leases.js';
import { ChatsRepository } from './chats.repository.js';
import { AbandonedTurnSweeper } from './abandoned-turn-sweeper.js';
import { RunningTurns } from './running-turns.js';
import { QuestionsRepository } from './questions.repository.js';
import { ConversationMemory } from './conversation-memory.js';

@Module({
  imports: [ProvidersModule, UsageModule],
  providers: [
    DeferredWork,
    AnswerTurn,
    ChatLeases,
    ChatsRepository,
    AbandonedTurnSweeper,
    RunningTurns,
    QuestionsRepository,
    ConversationMemory,
  ],
  exports: [DeferredWork, AnswerTurn, ChatsRepository, QuestionsRepository],
})
export class ChatsModule {}
