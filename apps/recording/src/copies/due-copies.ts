import { Injectable } from '@nestjs/common';
import { recordingCopy, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, InBackground, logger, Loop, observedGauge } from '@classroom/platform';
import { CopiesRepository } from './copies.repository.js';
import { CopyRecording, LEASE_MS } from './copy-recording.js';

const PARALLEL = 4;
const BATCH = 8;
/** How often missing copies are requested, how many at once, and of recordings that were completed how long ago at most. */
const ADOPT_INTERVAL_MS = 30_000;
const ADOPT_BATCH = 500;
const ADOPT_AGE_MS = 7 * 24 * 3_600_000;

/** Rows hold when a recording is copied next to the bucket of its organization. */
@Injectable()
export class DueCopies {
  @InBackground() private readonly work: DueWork<JobData<typeof recordingCopy>>;

  constructor(dueWorks: DueWorks, copies: CopiesRepository, copyRecording: CopyRecording) {
    this.work = dueWorks.declareQueued(recordingCopy, {
      claim: async (now, limit) => {
        const keys = await copies.claimDue(now, new Date(now.getTime() + LEASE_MS), limit);
        return keys.map((recordingKey) => ({ recordingKey }));
      },
      run: ({ recordingKey }, signal) => copyRecording.execute(recordingKey, signal),
      parallel: PARALLEL,
      batch: BATCH,
      dueSince: async (now) => (await copies.summarize(now))?.dueAt,
    });
  }
}

/** Requests copies that are missing: a recording was completed at the moment at which its organization set the bucket. */
@Injectable()
export class AdoptCopies {
  @InBackground() private readonly loop = new Loop('missing-copies', ADOPT_INTERVAL_MS, () => this.run());

  constructor(
    private readonly copies: CopiesRepository,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.now();
    const requested = await this.copies.adopt(now, new Date(now.getTime() - ADOPT_AGE_MS), ADOPT_BATCH);
    if (requested > 0) logger.info({ requested }, 'missing copies of recordings requested');
  }
}

@Injectable()
export class CopyGauges {
  constructor(copies: CopiesRepository, clock: Clock) {
    observedGauge(
      'classroom_recording_pending_copies',
      'Recordings whose copy to the bucket of their organization waits or runs',
      async () => [{ value: (await copies.summarize(clock.now()))?.pending ?? 0 }],
    );
  }
}
