import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { AiConfig } from '../config.js';
import type { ChatRequest } from '../models/ai-provider.js';
import type { OrganizationAi } from '../providers/providers.js';
import { estimateTokens } from '../models/token-estimate.js';
import { CallLog } from '../usage/call-log.js';
import type { Cause } from '../usage/usage-entry.js';
import { UsageRepository } from '../usage/usage.repository.js';
import { QUESTION_HEADING } from '../providers/offline/known-sentences.js';
import type { TurnContext } from './turn-plan.js';
import { DeferredWork } from './running-turns.js';
import { ChatsRepository, type AbandonedTurn, type LeasedChat, type TurnRow } from './chats.repository.js';
import { dueForSummary, toExtract, fitTurns, toDialogueTurn } from './context-window.js';

const SUMMARY_TOKENS = 512;
/** Share of the context window that an extract (a summary written without a model) may fill. */
const EXTRACT_SHARE = 0.1;
const SUMMARIZE =
  'You keep the memory of a dialogue. Write down in at most 200 words what is needed to go on with it: facts, names, decisions, what is still open. ' +
  'Use the language of the dialogue. Write nothing else.';

/** The history of a chat. */
export interface ChatHistory {
  summary: string | null;
  turns: TurnRow[];
  /** Those of the turns that were still open, because the process that answered them died. */
  abandoned: AbandonedTurn[];
}

/** A chat's memory: the last turns in full as far as they fit, and a short summary of the turns before them. */
@Injectable()
export class ConversationMemory {
  private readonly inProgress = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: AiConfig,
    private readonly database: Database,
    private readonly chats: ChatsRepository,
    private readonly usage: UsageRepository,
    private readonly deferredWork: DeferredWork,
    private readonly clock: Clock,
  ) {}

  async load(chat: LeasedChat): Promise<ChatHistory> {
    const turns = await this.chats.turnsFrom(chat.chatKey, chat.summarizedTo);
    const isAnyOpen = turns.some(({ state }) => state === 'open');
    const abandoned = isAnyOpen
      ? await this.database.transaction((tx) => this.chats.closeAbandonedTurns(tx, chat.chatKey, this.clock.now()))
      : [];
    return { summary: chat.summary, turns, abandoned };
  }

  /** Builds the request that fits into the model's context window. Turns that don't fit are included as an extract. */
  buildRequest({ summary, turns }: ChatHistory, context: TurnContext, question: string): ChatRequest {
    const window = this.config.AI_CONTEXT_TOKENS;
    const budget = window - tokensOf(context) - estimateTokens(question) - estimateTokens(summary ?? '');
    const whole = fitTurns(turns, budget);
    const { included, omitted } = whole.omitted.length === 0 ? whole : fitTurns(turns, budget - window * EXTRACT_SHARE);
    const earlier = [summary, omitted.length > 0 ? extractiveSummary(null, omitted, window) : null].filter(Boolean).join('\n');
    const { instructions, quoted } = context;
    return {
      instructions: earlier === '' ? instructions : `${instructions}\n\n## Earlier in this dialogue\n${earlier}`,
      turns: included.map(toDialogueTurn),
      question: quoted === '' ? question : `${quoted}\n\n${QUESTION_HEADING}\n${question}`,
      maxOutputTokens: this.config.AI_MAX_OUTPUT_TOKENS,
    };
  }

  /**
   * Summarizes older turns in the background once a turn is answered; the caller does not wait for it.
   * @param context what every turn of this chat sends
   */
  summarizeWhenDue(ai: OrganizationAi, cause: Cause, chat: LeasedChat, history: ChatHistory, last: TurnRow, context: TurnContext): void {
    const due = dueForSummary(
      [...history.turns, last],
      this.config.AI_CONTEXT_TOKENS - tokensOf(context) - estimateTokens(history.summary ?? ''),
    );
    if (due.length === 0 || this.inProgress.has(chat.chatKey)) return;
    this.inProgress.add(chat.chatKey);
    this.deferredWork.add('summary of a chat', (signal) =>
      this.summarize(ai, cause, chat, due, signal).finally(() => this.inProgress.delete(chat.chatKey)),
    );
  }

  private async summarize(ai: OrganizationAi, cause: Cause, chat: LeasedChat, due: readonly TurnRow[], signal: AbortSignal): Promise<void> {
    const to = (due.at(-1)?.dialogIndex ?? 0) + 1;
    const log = new CallLog(ai, cause, this.clock);
    try {
      const summary = ai.provider.isOffline
        ? extractiveSummary(chat.summary, due, this.config.AI_CONTEXT_TOKENS)
        : await log.write(this.summaryRequest(chat.summary, due), signal);
      if (summary.trim() === '') return;
      await this.database.transaction((tx) => this.chats.saveSummary(tx, chat.chatKey, chat.summarizedTo, to, toStorableText(summary)));
    } finally {
      await this.database.transaction((tx) => this.usage.add(tx, log.entries));
    }
  }

  private summaryRequest(summary: string | null, due: readonly TurnRow[]): ChatRequest {
    // As many of the newest turns as the context window holds.
    const { included } = fitTurns(due, this.config.AI_CONTEXT_TOKENS - SUMMARY_TOKENS);
    const spoken = included.map(toDialogueTurn).map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}`);
    const question = [summary === null ? '' : `What is known so far:\n${summary}`, 'The dialogue since then:', ...spoken]
      .filter(Boolean)
      .join('\n\n');
    return { instructions: SUMMARIZE, turns: [], question, maxOutputTokens: SUMMARY_TOKENS };
  }
}

const tokensOf = ({ instructions, quoted }: TurnContext) => estimateTokens(instructions) + estimateTokens(quoted);

/** The extract grows with every call, so the oldest lines are dropped. */
function extractiveSummary(summary: string | null, due: readonly TurnRow[], contextTokens: number): string {
  const lines = [...(summary?.split('\n') ?? []), ...toExtract(due).split('\n')];
  while (lines.length > 1 && estimateTokens(lines.join('\n')) > contextTokens * EXTRACT_SHARE) lines.shift();
  return lines.join('\n');
}

/** Drops NUL characters and replaces lone surrogates, which Postgres can't store. */
export const toStorableText = (text: string) => text.replaceAll('\u0000', '').toWellFormed();
