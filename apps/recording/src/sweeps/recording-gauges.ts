import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, observedGauge } from '@classroom/platform';
import { FINALIZATION_QUEUE } from '../finalization/finalization.jobs.js';
import { RETENTION_QUEUE } from '../retention/retention.jobs.js';

const since = (from: Date | null | undefined, now: Date) => (from ? Math.max((now.getTime() - from.getTime()) / 1000, 0) : 0);

/** What the recordings' rows tell an operator: how many are in which state, and how late their work is. */
@Injectable()
export class RecordingGauges {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    observedGauge('classroom_recording_recordings', 'Recordings that run or whose file is kept, by status', () => this.byStatus());
    observedGauge('classroom_job_overdue_seconds', 'How late the job is that has waited longest, by queue', () => this.overdue());
  }

  private async byStatus() {
    const rows = await this.database.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int AS count FROM recordings WHERE deleted_at IS NULL GROUP BY status',
    );
    return rows.map(({ status, count }) => ({ value: count, attributes: { status } }));
  }

  private async overdue() {
    const [row] = await this.database.query<{ finalizeAt: Date | null; deleteAt: Date | null }>(
      // Each attempt is due again in a moment: how long the file has been waited for says more.
      `SELECT (SELECT min(coalesce(ended_at, requested_at)) FROM recordings WHERE finalize_at IS NOT NULL) AS "finalizeAt",
              (SELECT min(delete_at) FROM recordings WHERE delete_at IS NOT NULL) AS "deleteAt"`,
    );
    return [
      { value: since(row?.finalizeAt, this.clock.wall()), attributes: { queue: FINALIZATION_QUEUE } },
      { value: since(row?.deleteAt, this.clock.now()), attributes: { queue: RETENTION_QUEUE } },
    ];
  }
}
