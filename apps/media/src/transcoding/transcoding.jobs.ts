import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { processJob } from '@classroom/messaging';
import { Background, CONFIG } from '@classroom/platform';
import type { Job } from 'bullmq';
import type { MediaConfig } from '../config.js';
import { TranscodeVideo } from './transcode-video.js';
import { TRANSCODING_QUEUE, type TranscodingJob } from './transcoding-queue.js';

/** A killed worker's job is another's soon after. That it lives and only stutters does no harm: the video's lease is in its row. */
@Processor(TRANSCODING_QUEUE, { lockDuration: 6_000, stalledInterval: 3_000, maxStalledCount: 100 })
export class TranscodingJobs extends WorkerHost implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    background: Background,
    private readonly transcodeVideo: TranscodeVideo,
  ) {
    super();
    // Otherwise a free slot of a process that ends would go on swallowing jobs while another slot works.
    background.add({ start: () => undefined, stop: () => this.worker.pause(true) });
  }

  onApplicationBootstrap(): void {
    // A decorator knows no configuration.
    this.worker.concurrency = this.config.TRANSCODING_SLOTS;
  }

  async process({ data }: Job<TranscodingJob>): Promise<void> {
    await processJob(TRANSCODING_QUEUE, () => this.transcodeVideo.execute(data.videoId));
  }
}
