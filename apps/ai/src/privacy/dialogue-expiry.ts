import { Injectable } from '@nestjs/common';
import { retentionRpc, type RpcInput } from '@classroom/contracts';
import { Expiry, Handles, type Holder } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { ChatsRepository } from '../chats/chats.repository.js';
import { DeleteDialogues } from './erase-dialogues.js';

/** A dialogue becomes old as a whole, from its last turn. */
@Injectable()
export class DialogueExpiry extends Expiry {
  readonly dataClass = 'aiDialogues';

  constructor(
    database: Database,
    private readonly chats: ChatsRepository,
    private readonly deleteDialogues: DeleteDialogues,
  ) {
    super(database);
  }

  protected find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.chats.findOld(organizationId, after, before, limit);
  }

  protected async erase(tx: Transaction, organizationId: string, chatKeys: string[]): Promise<number> {
    await this.deleteDialogues.execute(tx, organizationId, chatKeys);
    return chatKeys.length;
  }
}

/** How many dialogues a shorter retention concerns. */
@Injectable()
export class CountOldDialogues {
  constructor(private readonly chats: ChatsRepository) {}

  @Handles(retentionRpc.ai)
  async execute({ organizationId, since, before }: RpcInput<typeof retentionRpc.ai>) {
    const { old, all, oldestAt } = await this.chats.countOld(organizationId, new Date(since), new Date(before));
    return { old, all, oldestAt: oldestAt?.toISOString() ?? null };
  }
}
