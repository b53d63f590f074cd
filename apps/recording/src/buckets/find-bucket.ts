import { Injectable } from '@nestjs/common';
import { AppError, getRecordingBucket, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { BucketsRepository } from './buckets.repository.js';
import { toBucket } from './to-bucket.js';

@Injectable()
export class FindBucket {
  constructor(private readonly buckets: BucketsRepository) {}

  /** @throws AppError RECORDING_BUCKET_NOT_FOUND */
  @Handles(getRecordingBucket)
  async execute({ organizationId }: RpcInput<typeof getRecordingBucket>) {
    const row = await this.buckets.find(organizationId);
    if (!row) throw new AppError('RECORDING_BUCKET_NOT_FOUND');
    return toBucket(row);
  }
}
