import { Injectable } from '@nestjs/common';
import { recordingCopy, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { InBackground } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';
import { CopyRecording, LEASE_MS } from './copy-recording.js';

const PARALLEL = 4;
const BATCH = 8;

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
