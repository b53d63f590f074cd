import { Injectable } from '@nestjs/common';
import { retentionRpc, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { ChatsRepository } from '../chats/chats.repository.js';

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
