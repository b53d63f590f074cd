import { Injectable } from '@nestjs/common';
import { erasureRpc, namedBy, type ErasureOutcome, type ErasureRequest, type PersonOrClass } from '@classroom/contracts';
import { applyErasure, eraseOrganization, Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { ChatsRepository } from '../chats/chats.repository.js';
import { QuestionsRepository } from '../chats/questions.repository.js';
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

/** Erases the dialogues of a person, or of a class; of an organization everything. An agent's chat for which the backend named no participant is of no person. */
@Injectable()
export class EraseDialogues {
  constructor(
    private readonly database: Database,
    private readonly chats: ChatsRepository,
    private readonly questions: QuestionsRepository,
    private readonly deleteDialogues: DeleteDialogues,
  ) {}

  @Handles(erasureRpc.ai)
  execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, subject } = request;
    if ('organization' in subject) return eraseOrganization(this.database, request);
    return applyErasure(this.database, request, (tx) => this.erase(tx, organizationId, subject));
  }

  private async erase(tx: Transaction, organizationId: string, subject: PersonOrClass): Promise<ErasureOutcome> {
    const { uid, roomId } = namedBy(subject);
    const chatKeys = await this.chats.findErasable(tx, organizationId, uid, roomId);
    const resolved = uid === null ? 0 : await this.questions.forgetResolver(tx, organizationId, uid);
    const deleted = await this.deleteDialogues.execute(tx, organizationId, chatKeys);
    return { isComplete: true, counts: { ...deleted, 'resolved questions': resolved } };
  }
}
