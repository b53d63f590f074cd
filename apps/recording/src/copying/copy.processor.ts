import { Processor, WorkerHost } from '@nestjs/bullmq';
import { recordingCopy } from '@classroom/contracts';
import { processJob } from '@classroom/messaging';
import { InBackground, type Task } from '@classroom/platform';
import type { Job } from 'bullmq';
import type { RecordingJob } from '../retention/retention.processor.js';
import { CopyRecording } from './copy-recording.js';

export const COPY_QUEUE = recordingCopy.queue;

/**
 * Another worker gets the job of a killed one soon after. If the worker is alive and only slow, this does no harm: the attempt has a number in
 * its row.
 */
@Processor(COPY_QUEUE, { concurrency: 4, lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 100 })
@InBackground()
export class CopyProcessor extends WorkerHost implements Task {
  constructor(private readonly copyRecording: CopyRecording) {
    super();
  }

  start(): void {
    // BullMQ starts the worker.
  }

  /** Without this, the free slots of a process that shuts down would continue to take jobs. */
  stop(): Promise<void> {
    return this.worker.pause(true);
  }

  async process({ data }: Job<RecordingJob>): Promise<void> {
    await processJob(COPY_QUEUE, () => this.copyRecording.execute(data.recordingKey));
  }
}
