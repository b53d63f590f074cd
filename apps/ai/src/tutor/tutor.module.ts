import { Module } from '@nestjs/common';
import { ChatsModule } from '../chats/chats.module.js';
import { InputsModule } from '../inputs/inputs.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { AiCreditStatusModule } from '../credit-status/ai-credit-status.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AskTutor } from './ask-tutor.js';
import { ClassInfo } from './class-info.js';
import { ClassQuestionsRepository } from './class-questions.repository.js';
import { ClassSummariesRepository } from './class-summaries.repository.js';
import { CountQuestions } from './count-questions.js';
import { DialogueRepository } from './dialogue.repository.js';
import { GetTutorDialogue } from './get-tutor-dialogue.js';
import { EmbedQuestion } from './embed-question.js';
import { OpenQuestions } from './open-questions.js';
import { RoomContextsRepository } from './room-contexts.repository.js';
import { RoomContexts } from './room-contexts.js';
import { SummarizeClass } from './summarize-class.js';
import { TutorUsage } from './tutor-usage.js';

@Module({
  imports: [ChatsModule, InputsModule, ProvidersModule, AiCreditStatusModule, UsageModule],
  providers: [
    AskTutor,
    ClassInfo,
    ClassQuestionsRepository,
    ClassSummariesRepository,
    CountQuestions,
    GetTutorDialogue,
    DialogueRepository,
    EmbedQuestion,
    OpenQuestions,
    RoomContexts,
    RoomContextsRepository,
    SummarizeClass,
    TutorUsage,
  ],
  exports: [ClassSummariesRepository],
})
export class TutorModule {}
