import { Processor, WorkerHost } from '@nestjs/bullmq';
import { creditRollUp, type JobData } from '@classroom/contracts';
import { processJob } from '@classroom/messaging';
import type { Job } from 'bullmq';
import { RollUp } from './roll-up.js';

export const CREDIT_ROLLUP_QUEUE = creditRollUp.queue;
export type RollUpJob = JobData<typeof creditRollUp>;

/** A killed worker's job blocks its organization until the lock has run out: not for BullMQ's half minute. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;

/** Organizations side by side: a large one keeps one place, not the queue. */
@Processor(CREDIT_ROLLUP_QUEUE, { concurrency: 4, lockDuration: LOCK_MS, stalledInterval: STALLED_CHECK_MS })
export class RollUpJobs extends WorkerHost {
  constructor(private readonly rollUp: RollUp) {
    super();
  }

  async process(job: Job<RollUpJob>): Promise<void> {
    await processJob(CREDIT_ROLLUP_QUEUE, () => this.rollUp.execute(job.data.accountId));
  }
}
