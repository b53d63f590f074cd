import { Injectable } from '@nestjs/common';
import { egressFinalization, retentionDeletion, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { InBackground, observedGauge } from '@classroom/platform';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { COPY_WAIT_MS, DeleteFiles } from '../retention/delete-files.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { FinalizeRecording } from './finalize-recording.js';

const BATCH = 200;
const PARALLEL = 4;
/** Milliseconds after which a finalization that failed or was lost is due again. */
const RETRY_DELAY_MS = 5_000;

/** Rows hold when a recording is finalized and when its files are deleted. */
@Injectable()
export class DueRecordings {
  @InBackground() private readonly finalization: DueWork<JobData<typeof egressFinalization>>;
  @InBackground() private readonly deletion: DueWork<JobData<typeof retentionDeletion>>;

  constructor(dueWorks: DueWorks, recordings: RecordingsRepository, finalizeRecording: FinalizeRecording, deleteFiles: DeleteFiles) {
    const unawaited = (now: Date) => new Date(now.getTime() - COPY_WAIT_MS);
    this.finalization = dueWorks.declareQueued(egressFinalization, {
      isByWallTime: true,
      claim: async (now, limit) => {
        const finished = await recordings.claimFinalizations(now, new Date(now.getTime() + RETRY_DELAY_MS), limit);
        return finished.map(({ recordingKey }) => ({ recordingKey }));
      },
      run: ({ recordingKey }) => finalizeRecording.execute(recordingKey),
      parallel: PARALLEL,
      batch: BATCH,
      dueSince: () => recordings.findOldestUnfinalized(),
    });
    this.deletion = dueWorks.declareQueued(retentionDeletion, {
      find: (now, limit) => recordings.findDueForDeletion(now, unawaited(now), limit),
      run: ({ recordingKey }) => deleteFiles.execute(recordingKey),
      parallel: PARALLEL,
      batch: BATCH,
      dueSince: (now) => recordings.findOldestUndeleted(unawaited(now)),
    });
  }
}

const STATUSES: RecordingEntity['status'][] = ['REQUESTED', 'REFUSED', 'STARTING', 'ACTIVE', 'ENDING', 'COMPLETED', 'FAILED', 'ABORTED'];

/** How many recordings are in each status, from their rows. */
@Injectable()
export class RecordingGauges {
  constructor(private readonly recordings: RecordingsRepository) {
    observedGauge('classroom_recording_recordings', 'Recordings that run or whose file is kept, by status', () => this.byStatus());
  }

  private async byStatus() {
    const counts = new Map((await this.recordings.countByStatus()).map(({ status, count }) => [status, count]));
    // Every status, because a series that is not observed keeps its last value.
    return STATUSES.map((status) => ({ value: counts.get(status) ?? 0, attributes: { status } }));
  }
}
