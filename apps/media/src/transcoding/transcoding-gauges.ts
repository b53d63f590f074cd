import { Injectable } from '@nestjs/common';
import { Clock, observedGauges } from '@classroom/platform';
import { TRANSCODING_QUEUE } from './transcoding-queue.js';
import { WaitingVideosRepository } from './waiting-videos.repository.js';

/** How many videos wait for a worker, from the rows: the workers are scaled by it, and operators look at it first. */
@Injectable()
export class TranscodingGauges {
  constructor(
    private readonly waitingVideos: WaitingVideosRepository,
    private readonly clock: Clock,
  ) {
    observedGauges(
      {
        classroom_job_backlog: 'Jobs that wait or are at work, by queue',
        classroom_job_overdue_seconds: 'How late the job is that has waited longest, by queue',
      },
      () => this.read(),
    );
  }

  private async read() {
    const { count, seconds } = await this.waiting();
    const attributes = { queue: TRANSCODING_QUEUE };
    return [
      { name: 'classroom_job_backlog' as const, value: count, attributes },
      { name: 'classroom_job_overdue_seconds' as const, value: seconds, attributes },
    ];
  }

  private async waiting(): Promise<{ count: number; seconds: number }> {
    const row = await this.waitingVideos.backlog();
    const late = row?.dueAt ? (this.clock.wall().getTime() - row.dueAt.getTime()) / 1000 : 0;
    return { count: row?.count ?? 0, seconds: Math.max(late, 0) };
  }
}
