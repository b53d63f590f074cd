import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AgentChat } from './agent/agent-chat.js';
import { AgentRpc } from './agent/agent.rpc.js';
import { Afterwork } from './chats/afterwork.js';
import { AnswerTurn } from './chats/answer-turn.js';
import { ChatLeases } from './chats/chat-leases.js';
import { ChatsRepository } from './chats/chats.repository.js';
import { DeadTurns } from './chats/dead-turns.js';
import { LiveTurns } from './chats/live-turns.js';
import { Remember } from './chats/remember.js';
import type { AiConfig } from './config.js';
import { Decoder } from './decoding/decoder.js';
import { InputsSweep } from './inputs/inputs-sweep.js';
import { Inputs } from './inputs/inputs.js';
import { ReadQuestion } from './inputs/read-question.js';
import { providerProviders } from './providers/index.js';
import { settingsProviders, SettingsRpc } from './settings/index.js';
import { StandingEvents } from './standing/standing.events.js';
import { Standings } from './standing/standings.js';
import { AskTutor } from './tutor/ask-tutor.js';
import { ClassFacts } from './tutor/class-facts.js';
import { ClassQuestions } from './tutor/class-questions.js';
import { Dialogue } from './tutor/dialogue.js';
import { EmbedQuestion } from './tutor/embed-question.js';
import { OpenQuestions } from './tutor/open-questions.js';
import { QuestionsRepository } from './tutor/questions.repository.js';
import { RoomContexts } from './tutor/room-contexts.js';
import { SummarizeClass } from './tutor/summarize-class.js';
import { TutorUsage } from './tutor/tutor-usage.js';
import { TutorRpc } from './tutor/tutor.rpc.js';
import { UsageSummary } from './usage/usage-summary.js';
import { UsageRepository } from './usage/usage.repository.js';

const standing: Provider[] = [Standings, StandingEvents];
const inputs: Provider[] = [Inputs, InputsSweep, Decoder, ReadQuestion];
const chats: Provider[] = [ChatsRepository, ChatLeases, LiveTurns, Afterwork, Remember, AnswerTurn, DeadTurns];
const usage: Provider[] = [UsageRepository, UsageSummary];
const tutor: Provider[] = [
  AskTutor,
  ClassFacts,
  ClassQuestions,
  Dialogue,
  EmbedQuestion,
  OpenQuestions,
  QuestionsRepository,
  RoomContexts,
  SummarizeClass,
  TutorUsage,
];

@Module({})
export class AiModule {
  static forRoot(_config: AiConfig): DynamicModule {
    return {
      module: AiModule,
      controllers: [AgentRpc, TutorRpc, SettingsRpc],
      providers: [...providerProviders, ...settingsProviders, ...standing, ...inputs, ...chats, ...usage, ...tutor, AgentChat],
    };
  }
}
