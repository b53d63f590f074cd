import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { enqueueDueJobs } from '@classroom/messaging';
import { Clock, Dependencies, InBackground, logger, Loop } from '@classroom/platform';
import type { Queue } from 'bullmq';
import { FinalizeRecording } from '../finalization/finalize-recording.js';
import { FINALIZATION_QUEUE } from '../finalization/finalization.processor.js';
import { COPY_WAIT_MS, DeleteFiles } from '../retention/delete-files.js';
import { RETENTION_QUEUE, type RecordingJob } from '../retention/retention.processor.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { SweepsRepository } from './sweeps.repository.js';

const INTERVAL_MS = 1_000;
const BATCH = 200;
/** Milliseconds after which a job that failed or was lost is due again. */
const RETRY_DELAY_MS = 5_000;

/**
 * Rows hold the deadlines; the queues only distribute the work. This loop finds jobs that Redis lost, and does the work itself
 * if Redis is unreachable.
 */
@Injectable()
export class DueRecordings implements OnModuleInit {
  @InBackground() private readonly loop = new Loop('due-recordings', INTERVAL_MS, () => this.run());

  constructor(
    @InjectQueue(FINALIZATION_QUEUE) private readonly finalization: Queue<RecordingJob>,
    @InjectQueue(RETENTION_QUEUE) private readonly retention: Queue<RecordingJob>,
    private readonly recordings: RecordingsRepository,
    private readonly sweeps: SweepsRepository,
    private readonly finalizeRecording: FinalizeRecording,
    private readonly deleteFiles: DeleteFiles,
    private readonly clock: Clock,
    private readonly dependencies: Dependencies,
  ) {}

  onModuleInit(): void {
    this.dependencies.register('redis', () => this.finalization.isPaused(), { required: false });
  }

  private async run(): Promise<void> {
    // Finalization is due in real time, deletion by the domain clock.
    const now = this.clock.wall();
    const finished = await this.recordings.claimFinalizations(now, new Date(now.getTime() + RETRY_DELAY_MS), BATCH);
    const keys = finished.map(({ recordingKey }) => recordingKey);
    await this.enqueueOrRun(this.finalization, 'finalize', keys, (key) => this.finalizeRecording.execute(key));
    const due = this.clock.now();
    const overdue = await this.sweeps.findDueForDeletion(due, new Date(due.getTime() - COPY_WAIT_MS), BATCH);
    await this.enqueueOrRun(this.retention, 'delete', overdue, (key) => this.deleteFiles.execute(key));
  }

  private async enqueueOrRun(
    queue: Queue<RecordingJob>,
    name: string,
    keys: string[],
    work: (key: string) => Promise<void>,
  ): Promise<void> {
    const jobs = keys.map((recordingKey) => ({ jobId: `${name}-${recordingKey}`, data: { recordingKey } }));
    if (await enqueueDueJobs(queue, name, jobs)) return;
    for (const key of keys) {
      await work(key).catch((error: unknown) =>
        logger.warn({ err: error, recordingKey: key }, `could not ${name} now; it will be tried again`),
      );
    }
  }
}
