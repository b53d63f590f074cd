import { Injectable } from '@nestjs/common';
import { retentionRpc, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { OldClassesRepository } from './old-classes.repository.js';

/** How many classes a shorter retention concerns. */
@Injectable()
export class CountOldClasses {
  constructor(private readonly classes: OldClassesRepository) {}

  @Handles(retentionRpc.room)
  async execute({ organizationId, dataClass, since, before }: RpcInput<typeof retentionRpc.room>) {
    const { old, all, oldestAt } = await this.classes.count(organizationId, dataClass, new Date(since), new Date(before));
    return { old, all, oldestAt: oldestAt?.toISOString() ?? null };
  }
}
