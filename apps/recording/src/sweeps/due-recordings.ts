import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { handToQueue } from '@classroom/messaging';
import { Clock, Dependencies, InBackground, logger, Loop } from '@classroom/platform';
import type { Queue } from 'bullmq';
import { FinalizeRecording } from '../finalization/finalize-recording.js';
import { FINALIZATION_QUEUE } from '../finalization/finalization.jobs.js';
import { DeleteFiles } from '../retention/delete-files.js';
import { RETENTION_QUEUE, type RecordingJob } from '../retention/retention.jobs.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { SweepsRepository } from './sweeps.repository.js';

const EVERY_MS = 1_000;
const BATCH = 200;
/** Milliseconds after which a job that failed or was lost is due again. */
const AGAIN_MS = 5_000;

/**
 * Rows hold the deadlines; the queues only distribute the work. This loop finds jobs that Redis lost, and does the work itself
 * if Redis is unreachable.
 */
@Injectable()
export class DueRecordings implements OnModuleInit {
  @InBackground() private readonly loop = new Loop('due-recordings', EVERY_MS, () => this.run());

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
    const finished = await this.recordings.claimFinalizations(now, new Date(now.getTime() + AGAIN_MS), BATCH);
    const keys = finished.map(({ recordingKey }) => recordingKey);
    await this.hand(this.finalization, 'finalize', keys, (key) => this.finalizeRecording.execute(key));
    const overdue = await this.sweeps.dueForDeletion(this.clock.now(), BATCH);
    await this.hand(this.retention, 'delete', overdue, (key) => this.deleteFiles.execute(key));
  }

  private async hand(queue: Queue<RecordingJob>, name: string, keys: string[], work: (key: string) => Promise<void>): Promise<void> {
    const jobs = keys.map((recordingKey) => ({ jobId: `${name}-${recordingKey}`, data: { recordingKey } }));
    if (await handToQueue(queue, name, jobs)) return;
    for (const key of keys) {
      await work(key).catch((error: unknown) =>
        logger.warn({ err: error, recordingKey: key }, `could not ${name} now; it will be tried again`),
      );
    }
  }
}
