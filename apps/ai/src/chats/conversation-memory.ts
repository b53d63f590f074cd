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
import { Afterwork } from './afterwork.js';
import { ChatsRepository, type DeadTurn, type LeasedChat, type TurnRow } from './chats.repository.js';
import { dueForSummary, extractOf, fitTurns, toSpoken } from './memory.js';

const SUMMARY_TOKENS = 512;
/** Share of the context window that an extract (a summary written without a model) may fill. */
const EXTRACT_SHARE = 0.1;
const SUMMARIZE =
  'You keep the memory of a dialogue. Write down in at most 200 words what is needed to go on with it: facts, names, decisions, what is still open. ' +
  'Use the language of the dialogue. Write nothing else.';

/** The history of a chat. */
export interface Memory {
  summary: string | null;
  turns: TurnRow[];
  /** Those of the turns that were still open, because the process that answered them died. */
  dead: DeadTurn[];
}

/** A chat's memory: the last turns in full as far as they fit, and a short summary of the turns before them. */
@Injectable()
export class Remember {
  private readonly underway = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: AiConfig,
    private readonly database: Database,
    private readonly chats: ChatsRepository,
    private readonly usage: UsageRepository,
    private readonly afterwork: Afterwork,
    private readonly clock: Clock,
  ) {}

  async of(chat: LeasedChat): Promise<Memory> {
    const turns = await this.chats.turnsFrom(chat.chatKey, chat.summarizedTo);
    const isAnyOpen = turns.some(({ state }) => state === 'open');
    const dead = isAnyOpen ? await this.database.transaction((tx) => this.chats.settleDead(tx, chat.chatKey, this.clock.now())) : [];
    return { summary: chat.summary, turns, dead };
  }

  /** Builds the request that fits into the model's context window. Turns that don't fit are included as an extract. */
  request({ summary, turns }: Memory, instructions: string, question: string): ChatRequest {
    const window = this.config.AI_CONTEXT_TOKENS;
    const budget = window - estimateTokens(instructions) - estimateTokens(question) - estimateTokens(summary ?? '');
    const whole = fitTurns(turns, budget);
    const { told, cut } = whole.cut.length === 0 ? whole : fitTurns(turns, budget - window * EXTRACT_SHARE);
    const earlier = [summary, cut.length > 0 ? plain(null, cut, window) : null].filter(Boolean).join('\n');
    return {
      instructions: earlier === '' ? instructions : `${instructions}\n\n## Earlier in this dialogue\n${earlier}`,
      turns: told.map(toSpoken),
      question,
      maxOutputTokens: this.config.AI_MAX_OUTPUT_TOKENS,
    };
  }

  /**
   * Summarizes older turns in the background once a turn is answered; the caller does not wait for it.
   * @param instructions the instructions that every turn of this chat sends
   */
  after(ai: OrganizationAi, cause: Cause, chat: LeasedChat, memory: Memory, last: TurnRow, instructions: string): void {
    const due = dueForSummary(
      [...memory.turns, last],
      this.config.AI_CONTEXT_TOKENS - estimateTokens(instructions) - estimateTokens(memory.summary ?? ''),
    );
    if (due.length === 0 || this.underway.has(chat.chatKey)) return;
    this.underway.add(chat.chatKey);
    this.afterwork.add('summary of a chat', (signal) =>
      this.summarize(ai, cause, chat, due, signal).finally(() => this.underway.delete(chat.chatKey)),
    );
  }

  private async summarize(ai: OrganizationAi, cause: Cause, chat: LeasedChat, due: readonly TurnRow[], signal: AbortSignal): Promise<void> {
    const to = (due.at(-1)?.dialogIndex ?? 0) + 1;
    const log = new CallLog(ai, cause, this.clock);
    try {
      const summary = ai.provider.isOffline
        ? plain(chat.summary, due, this.config.AI_CONTEXT_TOKENS)
        : await log.write(this.toSummarize(chat.summary, due), signal);
      if (summary.trim() === '') return;
      await this.database.transaction((tx) => this.chats.keepSummary(tx, chat.chatKey, chat.summarizedTo, to, clean(summary)));
    } finally {
      await this.database.transaction((tx) => this.usage.add(tx, log.entries));
    }
  }

  private toSummarize(summary: string | null, due: readonly TurnRow[]): ChatRequest {
    // As many of the newest turns as the context window holds.
    const { told } = fitTurns(due, this.config.AI_CONTEXT_TOKENS - SUMMARY_TOKENS);
    const spoken = told.map(toSpoken).map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}`);
    const question = [summary === null ? '' : `What is known so far:\n${summary}`, 'The dialogue since then:', ...spoken]
      .filter(Boolean)
      .join('\n\n');
    return { instructions: SUMMARIZE, turns: [], question, maxOutputTokens: SUMMARY_TOKENS };
  }
}

/** The extract grows with every call, so the oldest lines are dropped. */
function plain(summary: string | null, due: readonly TurnRow[], contextTokens: number): string {
  const lines = [...(summary?.split('\n') ?? []), ...extractOf(due).split('\n')];
  while (lines.length > 1 && estimateTokens(lines.join('\n')) > contextTokens * EXTRACT_SHARE) lines.shift();
  return lines.join('\n');
}

/** Drops NUL characters and replaces lone surrogates, which Postgres can't store. */
export const clean = (text: string) => text.replaceAll('\u0000', '').toWellFormed();
