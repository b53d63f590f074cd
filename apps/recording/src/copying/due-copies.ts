import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { enqueueDueJobs } from '@classroom/messaging';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import type { Queue } from 'bullmq';
import { CopiesRepository } from '../copies/copies.repository.js';
import type { RecordingJob } from '../retention/retention.processor.js';
import { COPY_QUEUE } from './copy.processor.js';
import { CopyRecording, LEASE_MS } from './copy-recording.js';

const INTERVAL_MS = 1_000;
const BATCH = 8;

/** Hands due copies to the workers. If Redis is unreachable, it copies itself. */
@Injectable()
export class DueCopies {
  @InBackground() private readonly loop = new Loop('due-copies', INTERVAL_MS, () => this.run());
  private isCopying = false;

  constructor(
    @InjectQueue(COPY_QUEUE) private readonly queue: Queue<RecordingJob>,
    private readonly copies: CopiesRepository,
    private readonly copyRecording: CopyRecording,
    private readonly clock: Clock,
  ) {}

  private async run(): Promise<void> {
    if (this.isCopying) return;
    const now = this.clock.now();
    const keys = await this.copies.claimDue(now, new Date(now.getTime() + LEASE_MS), BATCH);
    const jobs = keys.map((recordingKey) => ({ jobId: `copy-${recordingKey}`, data: { recordingKey } }));
    if (await enqueueDueJobs(this.queue, 'copy', jobs)) return;
    this.isCopying = true;
    // Not awaited: a large file would make the loop late.
    void this.copyAll(keys).finally(() => (this.isCopying = false));
  }

  private async copyAll(keys: readonly string[]): Promise<void> {
    for (const recordingKey of keys) {
      await this.copyRecording.execute(recordingKey).catch((error: unknown) => {
        logger.warn({ err: error, recordingKey }, 'could not copy now; it will be tried again');
      });
    }
  }
}
