import { Inject, Injectable } from '@nestjs/common';
import { transcoding, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { CONFIG, InBackground, observedGauge } from '@classroom/platform';
import type { MediaConfig } from '../config.js';
import { TranscodeVideo } from './transcode-video.js';
import { WaitingVideosRepository } from './waiting-videos.repository.js';

/** How many wait in the queue: a school with one video waits for these, of hours each, and for no more of a school with a thousand. */
const BATCH = 2;

/** Rows hold which videos are due. The lease of an attempt is in its video's row, too. */
@Injectable()
export class DueVideos {
  @InBackground() private readonly work: DueWork<JobData<typeof transcoding>>;

  constructor(
    @Inject(CONFIG) config: MediaConfig,
    dueWorks: DueWorks,
    waitingVideos: WaitingVideosRepository,
    transcodeVideo: TranscodeVideo,
  ) {
    this.work = dueWorks.declareQueued(transcoding, {
      isByWallTime: true,
      find: (now, limit) => waitingVideos.due(now, limit),
      run: ({ videoId }, signal) => transcodeVideo.execute(videoId, signal),
      parallel: config.TRANSCODING_SLOTS,
      batch: BATCH,
      dueSince: async () => (await waitingVideos.backlog())?.dueAt,
    });
  }
}

/** How many videos wait for a worker, from the rows: the workers are scaled by it, and operators look at it first. */
@Injectable()
export class TranscodingGauges {
  constructor(waitingVideos: WaitingVideosRepository) {
    observedGauge('classroom_job_backlog', 'Jobs that wait or are at work, by queue', async () => [
      { value: (await waitingVideos.backlog())?.count ?? 0, attributes: { queue: transcoding.queue } },
    ]);
  }
}
