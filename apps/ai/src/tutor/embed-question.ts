import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { DeferredWork } from '../chats/running-turns.js';
import { QuestionsRepository, type ClassStudent } from '../chats/questions.repository.js';
import type { EndedTurn } from '../chats/turn-plan.js';
import type { OrganizationAi } from '../providers/providers.js';
import { CallLog } from '../usage/call-log.js';
import { UsageRepository } from '../usage/usage.repository.js';

/** Characters of a question that are embedded; its beginning carries its meaning. */
const MAX_CHARACTERS = 2_000;

/**
 * Stores the embedding of a question, so that questions with the same meaning are counted together. It runs in the background; no caller
 * waits for it.
 */
@Injectable()
export class EmbedQuestion {
  constructor(
    private readonly database: Database,
    private readonly deferredWork: DeferredWork,
    private readonly questions: QuestionsRepository,
    private readonly usage: UsageRepository,
    private readonly clock: Clock,
  ) {}

  embedAfter(ai: OrganizationAi, student: ClassStudent, turn: EndedTurn): void {
    if (!ai.provider.can('embedding')) return;
    this.deferredWork.add('embedding of a question', (signal) => this.embed(ai, student, turn, signal));
  }

  private async embed(
    ai: OrganizationAi,
    student: ClassStudent,
    { turnId, chatKey, question }: EndedTurn,
    signal: AbortSignal,
  ): Promise<void> {
    const log = new CallLog(ai, { ...student, kind: 'tutor', chatKey, turnId }, this.clock);
    let vector: number[] | undefined;
    try {
      const { vectors } = await log.call('embedding', signal, async () => {
        const embedded = await ai.provider.embed([question.slice(0, MAX_CHARACTERS).toWellFormed()], signal);
        if (!embedded) throw new AppError('AI_UNAVAILABLE');
        return embedded;
      });
      [vector] = vectors;
    } finally {
      await this.database.transaction(async (tx) => {
        // Locks the chat before its question, as an erasure does.
        await this.usage.add(tx, log.entries);
        if (vector) await this.questions.saveEmbedding(tx, turnId, vector);
      });
    }
  }
}
