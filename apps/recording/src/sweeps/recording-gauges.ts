import { Injectable } from '@nestjs/common';
import { observedGauge } from '@classroom/platform';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';

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
