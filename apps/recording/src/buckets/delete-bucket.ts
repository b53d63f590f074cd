import { Injectable } from '@nestjs/common';
import { AppError, deleteRecordingBucket, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';
import { BucketsRepository } from './buckets.repository.js';

@Injectable()
export class DeleteBucket {
  constructor(
    private readonly buckets: BucketsRepository,
    private readonly copies: CopiesRepository,
    private readonly clock: Clock,
  ) {}

  /** Gives up the copies that wait. @throws AppError RECORDING_BUCKET_NOT_FOUND */
  @Handles(deleteRecordingBucket)
  async execute({ organizationId }: RpcInput<typeof deleteRecordingBucket>) {
    const now = this.clock.now();
    await this.buckets.transaction(async (tx) => {
      if (!(await this.buckets.remove(tx, organizationId))) throw new AppError('RECORDING_BUCKET_NOT_FOUND');
      await this.copies.giveUpAll(tx, organizationId, 'bucket-removed', now);
    });
    return { deletedAt: now.toISOString() };
  }
}
