import { Module } from '@nestjs/common';
import { CONFIG, Outbound } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { CopiesModule } from '../copies/copies.module.js';
import { BucketSecrets } from './bucket-secrets.js';
import { BucketsRepository } from './buckets.repository.js';
import { DeleteBucket } from './delete-bucket.js';
import { FindBucket } from './find-bucket.js';
import { SetBucket } from './set-bucket.js';

@Module({
  imports: [CopiesModule],
  providers: [
    { provide: Outbound, inject: [CONFIG], useFactory: (config: RecordingConfig) => new Outbound(config) },
    BucketSecrets,
    BucketsRepository,
    DeleteBucket,
    FindBucket,
    SetBucket,
  ],
  exports: [BucketSecrets, BucketsRepository, Outbound],
})
export class BucketsModule {}
