import { Processor, WorkerHost } from '@nestjs/bullmq';
import { creditRollUp, type JobData } from '@classroom/contracts';
import { processJob } from '@classroom/messaging';
import type { Job } from 'bullmq';
import { RollUp } from './roll-up.js';

export const CREDIT_ROLLUP_QUEUE = creditRollUp.queue;
export type RollUpJob = JobData<typeof creditRollUp>;

/** Milliseconds. A killed worker's job blocks its shard until the lock expires; BullMQ's default is 30 s. */
const LOCK_MS = 10_000;
const STALLED_INTERVAL_MS = 5_000;

/** Shards are processed in parallel: a large organization occupies one worker slot, not the queue. */
@Processor(CREDIT_ROLLUP_QUEUE, { concurrency: 4, lockDuration: LOCK_MS, stalledInterval: STALLED_INTERVAL_MS })
export class RollUpProcessor extends WorkerHost {
  constructor(private readonly rollUp: RollUp) {
    super();
  }

  async process(job: Job<RollUpJob>): Promise<void> {
    await processJob(CREDIT_ROLLUP_QUEUE, () => this.rollUp.execute(job.data.accountIds ?? [job.data.accountId]));
  }
}
