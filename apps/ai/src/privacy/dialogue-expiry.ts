import { Injectable } from '@nestjs/common';
import { Expiry, type Holder } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { ChatsRepository } from '../chats/chats.repository.js';
import { ClassSummariesRepository } from '../tutor/class-summaries.repository.js';
import { UsageRepository } from '../usage/usage.repository.js';

/** A dialogue becomes old as a whole, from its last turn. A class's summary contains its questions, so it ends with the first of them. */
@Injectable()
export class DialogueExpiry extends Expiry {
  readonly dataClass = 'aiDialogues';

  constructor(
    database: Database,
    private readonly chats: ChatsRepository,
    private readonly summaries: ClassSummariesRepository,
    private readonly usage: UsageRepository,
  ) {
    super(database);
  }

  protected find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.chats.findOld(organizationId, after, before, limit);
  }

  protected async erase(tx: Transaction, organizationId: string, chatKeys: string[]): Promise<number> {
    const sids = (await this.chats.delete(tx, organizationId, chatKeys)).flatMap(({ sid }) => sid ?? []);
    await this.usage.forgetStudents(tx, organizationId, sids, chatKeys);
    await this.summaries.deleteOf(tx, organizationId, sids);
    return chatKeys.length;
  }
}
