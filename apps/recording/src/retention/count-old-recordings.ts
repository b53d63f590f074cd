import { Injectable } from '@nestjs/common';
import { retentionRpc, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { RecordingsRepository } from '../recordings/recordings.repository.js';

/** How many recordings a shorter retention concerns. */
@Injectable()
export class CountOldRecordings {
  constructor(private readonly recordings: RecordingsRepository) {}

  @Handles(retentionRpc.recording)
  async execute({ organizationId, before }: RpcInput<typeof retentionRpc.recording>) {
    const { old, all, oldestAt } = await this.recordings.countOld(organizationId, new Date(before));
    return { old, all, oldestAt: oldestAt?.toISOString() ?? null };
  }
}
