import { Processor, WorkerHost } from '@nestjs/bullmq';
import { egressFinalization } from '@classroom/contracts';
import { processJob } from '@classroom/messaging';
import type { Job } from 'bullmq';
import type { RecordingJob } from '../retention/retention.processor.js';
import { FinalizeRecording } from './finalize-recording.js';

export const FINALIZATION_QUEUE = egressFinalization.queue;

/** Times as in retention.processor.ts: another worker soon takes over the job of a killed one. */
@Processor(FINALIZATION_QUEUE, { concurrency: 4, lockDuration: 10_000, stalledInterval: 5_000 })
export class FinalizationProcessor extends WorkerHost {
  constructor(private readonly finalizeRecording: FinalizeRecording) {
    super();
  }

  async process(job: Job<RecordingJob>): Promise<void> {
    await processJob(FINALIZATION_QUEUE, () => this.finalizeRecording.execute(job.data.recordingKey));
  }
}
