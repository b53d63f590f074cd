import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { ChatsRepository } from '../chats/chats.repository.js';
import { ClassSummariesRepository } from '../tutor/class-summaries.repository.js';
import { UsageRepository } from '../usage/usage.repository.js';

/** Deletes dialogues. The summary of a class contains its questions, so it is deleted with the first of them. Of the usage, tokens and cost stay. */
@Injectable()
export class DeleteDialogues {
  constructor(
    private readonly chats: ChatsRepository,
    private readonly summaries: ClassSummariesRepository,
    private readonly usage: UsageRepository,
  ) {}

  /** @returns how many rows, by store */
  async execute(tx: Transaction, organizationId: string, chatKeys: readonly string[]): Promise<Record<string, number>> {
    const sids = (await this.chats.delete(tx, organizationId, chatKeys)).flatMap(({ sid }) => sid ?? []);
    return {
      'AI dialogues': chatKeys.length,
      'AI usage': await this.usage.forgetStudents(tx, organizationId, sids, chatKeys),
      'class summaries': await this.summaries.deleteOf(tx, organizationId, sids),
    };
  }
}
