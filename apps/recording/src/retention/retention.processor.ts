import { Processor, WorkerHost } from '@nestjs/bullmq';
import { retentionDeletion, type JobData } from '@classroom/contracts';
import { processJob } from '@classroom/messaging';
import type { Job } from 'bullmq';
import { DeleteFiles } from './delete-files.js';

export const RETENTION_QUEUE = retentionDeletion.queue;
export type RecordingJob = JobData<typeof retentionDeletion>;

/** After these times another worker takes the job of a killed one, instead of after BullMQ's default of 30 s. */
@Processor(RETENTION_QUEUE, { concurrency: 4, lockDuration: 10_000, stalledInterval: 5_000 })
export class RetentionProcessor extends WorkerHost {
  constructor(private readonly deleteFiles: DeleteFiles) {
    super();
  }

  async process(job: Job<RecordingJob>): Promise<void> {
    await processJob(RETENTION_QUEUE, () => this.deleteFiles.execute(job.data.recordingKey));
  }
}
