import { Injectable } from '@nestjs/common';
import { transcoding } from '@classroom/contracts';
import { observedGauge } from '@classroom/platform';
import { WaitingVideosRepository } from './waiting-videos.repository.js';

/** How many videos wait for a worker, from the rows: the workers are scaled by it, and operators look at it first. */
@Injectable()
export class TranscodingGauges {
  constructor(waitingVideos: WaitingVideosRepository) {
    observedGauge('classroom_job_backlog', 'Jobs that wait or are at work, by queue', async () => [
      { value: (await waitingVideos.backlog())?.count ?? 0, attributes: { queue: transcoding.queue } },
    ]);
  }
}
