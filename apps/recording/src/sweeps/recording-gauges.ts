import { Injectable } from '@nestjs/common';
import { Clock, observedGauge } from '@classroom/platform';
import { COPY_WAIT_MS } from '../retention/delete-files.js';
import { FINALIZATION_QUEUE } from '../finalization/finalization.processor.js';
import { RETENTION_QUEUE } from '../retention/retention.processor.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { SweepsRepository } from './sweeps.repository.js';

const STATUSES: RecordingEntity['status'][] = ['REQUESTED', 'REFUSED', 'STARTING', 'ACTIVE', 'ENDING', 'COMPLETED', 'FAILED', 'ABORTED'];

const since = (from: Date | null | undefined, now: Date) => (from ? Math.max((now.getTime() - from.getTime()) / 1000, 0) : 0);

/** Metrics from the recordings' rows: how many are in each status, and how late their work is. */
@Injectable()
export class RecordingGauges {
  constructor(
    private readonly sweeps: SweepsRepository,
    private readonly clock: Clock,
  ) {
    observedGauge('classroom_recording_recordings', 'Recordings that run or whose file is kept, by status', () => this.byStatus());
    observedGauge('classroom_job_overdue_seconds', 'How late the job is that has waited longest, by queue', () => this.overdue());
  }

  private async byStatus() {
    const counts = new Map((await this.sweeps.countByStatus()).map(({ status, count }) => [status, count]));
    // Every status, because a series that is not observed keeps its last value.
    return STATUSES.map((status) => ({ value: counts.get(status) ?? 0, attributes: { status } }));
  }

  private async overdue() {
    const now = this.clock.now();
    const row = await this.sweeps.findOldestDue(new Date(now.getTime() - COPY_WAIT_MS));
    return [
      { value: since(row?.finalizeAt, this.clock.wall()), attributes: { queue: FINALIZATION_QUEUE } },
      { value: since(row?.deleteAt, now), attributes: { queue: RETENTION_QUEUE } },
    ];
  }
}
