import { Module, type DynamicModule } from '@nestjs/common';
import { CONSUMERS } from '@classroom/contracts';
import { CreditStatusModule, MessagingModule, RetentionSweepModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { AnswerAgentChat } from './chats/answer-agent-chat.js';
import { ListVoices } from './chats/list-voices.js';
import { AbandonedTurnSweeper } from './chats/abandoned-turn-sweeper.js';
import { AnswerTurn } from './chats/answer-turn.js';
import { ChatLeases } from './chats/chat-leases.js';
import { ChatsRepository } from './chats/chats.repository.js';
import { ConversationMemory } from './chats/conversation-memory.js';
import { QuestionsRepository } from './chats/questions.repository.js';
import { DeferredWork, RunningTurns } from './chats/running-turns.js';
import type { AiConfig } from './config.js';
import { Decoder } from './inputs/decoder.js';
import { Inputs, InputsSweep } from './inputs/inputs.js';
import { ReadQuestion } from './inputs/read-question.js';
import { CountOldDialogues, DialogueExpiry } from './privacy/dialogue-expiry.js';
import { DeleteDialogues, EraseDialogues } from './privacy/erase-dialogues.js';
import { ExportedRepository } from './privacy/exported.repository.js';
import { Providers } from './providers/providers.js';
import { entities } from './schema/sql.js';
import { GetAiSettings, UpdateAiSettings } from './settings/ai-settings.js';
import { ResealKeys } from './settings/reseal-keys.js';
import { SettingsRepository } from './settings/settings.repository.js';
import { AskTutor } from './tutor/ask-tutor.js';
import { ClassDocuments } from './tutor/class-documents.js';
import { ClassInfo } from './tutor/class-info.js';
import { ClassQuestionsRepository, DialogueRepository } from './tutor/class-questions.repository.js';
import { ClassSummariesRepository } from './tutor/class-summaries.repository.js';
import { EmbedQuestion } from './tutor/embed-question.js';
import { GetTutorDialogue } from './tutor/get-tutor-dialogue.js';
import { CountQuestions, OpenQuestions } from './tutor/open-questions.js';
import { RoomContexts } from './tutor/room-contexts.js';
import { RoomContextsRepository } from './tutor/room-contexts.repository.js';
import { SummarizeClass } from './tutor/summarize-class.js';
import { TutorUsage } from './tutor/tutor-usage.js';
import { SummarizeAiUsage } from './usage/summarize-ai-usage.js';
import { UsageRepository } from './usage/usage.repository.js';

/** What the rule of retention injects. The sweep's module imports it, so it is a module of its own. */
@Module({
  providers: [ChatsRepository, ClassSummariesRepository, DeleteDialogues, QuestionsRepository, UsageRepository],
  exports: [ChatsRepository, ClassSummariesRepository, DeleteDialogues, QuestionsRepository, UsageRepository],
})
class PersonalDataModule {}

@Module({})
export class AppModule {
  static forRoot(config: AiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        // 500 participants may ask within one second, so a query may wait longer than usual for a database connection.
        PersistenceModule.forRoot({ schema: 'ai', config, entities, waitMs: 10_000 }),
        MessagingModule.forRoot({ name: 'ai', service: 'ai', config }),
        StorageModule.forRoot(config),
        CreditStatusModule.forRoot({ consumer: CONSUMERS.aiCreditStatus, refusedBy: 'isExhausted', whenUnknown: 'ask' }),
        PersonalDataModule,
        RetentionSweepModule.forRoot({ rules: [DialogueExpiry], imports: [PersonalDataModule] }),
      ],
      providers: [
        // inputs
        Decoder,
        Inputs,
        InputsSweep,
        ReadQuestion,
        // settings
        GetAiSettings,
        ResealKeys,
        SettingsRepository,
        UpdateAiSettings,
        // providers
        Providers,
        // usage
        SummarizeAiUsage,
        // chats
        AbandonedTurnSweeper,
        AnswerTurn,
        ChatLeases,
        ConversationMemory,
        DeferredWork,
        RunningTurns,
        // agent
        AnswerAgentChat,
        ListVoices,
        // tutor
        AskTutor,
        ClassDocuments,
        ClassInfo,
        ClassQuestionsRepository,
        CountQuestions,
        DialogueRepository,
        EmbedQuestion,
        GetTutorDialogue,
        OpenQuestions,
        RoomContexts,
        RoomContextsRepository,
        SummarizeClass,
        TutorUsage,
        // privacy
        CountOldDialogues,
        EraseDialogues,
        ExportedRepository,
      ],
    };
  }
}
