import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, observedGauge } from '@classroom/platform';
import { TRANSCODING_QUEUE } from './transcoding-queue.js';

/** What waits for a transcoder, from the rows: what scales the workers and what an operator looks at first. */
@Injectable()
export class TranscodingGauges {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    const attributes = { queue: TRANSCODING_QUEUE };
    observedGauge('classroom_job_backlog', 'Jobs that wait or are at work, by queue', async () => [{ value: (await this.waiting()).count, attributes }]);
    observedGauge('classroom_job_overdue_seconds', 'How late the job is that has waited longest, by queue', async () => [
      { value: (await this.waiting()).seconds, attributes },
    ]);
  }

  private async waiting(): Promise<{ count: number; seconds: number }> {
    const [row] = await this.database.query<{ count: number; dueAt: Date | null }>(
      `SELECT count(*)::int AS count, min(transcode_at) FILTER (WHERE status = 'pending') AS "dueAt" FROM videos WHERE transcode_at IS NOT NULL`,
    );
    const late = row?.dueAt ? (this.clock.wall().getTime() - row.dueAt.getTime()) / 1000 : 0;
    return { count: row?.count ?? 0, seconds: Math.max(late, 0) };
  }
}
