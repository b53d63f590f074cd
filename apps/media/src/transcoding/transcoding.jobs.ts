import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { processJob } from '@classroom/messaging';
import { CONFIG, InBackground, type Task } from '@classroom/platform';
import type { Job } from 'bullmq';
import type { MediaConfig } from '../config.js';
import { TranscodeVideo } from './transcode-video.js';
import { TRANSCODING_QUEUE, type TranscodingJob } from './transcoding-queue.js';

/** A killed worker's job is another's soon after. That it lives and only stutters does no harm: the video's lease is in its row. */
@Processor(TRANSCODING_QUEUE, { lockDuration: 6_000, stalledInterval: 3_000, maxStalledCount: 100 })
@InBackground()
export class TranscodingJobs extends WorkerHost implements Task {
  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    private readonly transcodeVideo: TranscodeVideo,
  ) {
    super();
  }

  start(): void {
    // A decorator knows no configuration.
    this.worker.concurrency = this.config.TRANSCODING_SLOTS;
  }

  /** Otherwise a free slot of a process that ends would go on swallowing jobs while another slot works. */
  stop(): Promise<void> {
    return this.worker.pause(true);
  }

  async process({ data }: Job<TranscodingJob>): Promise<void> {
    await processJob(TRANSCODING_QUEUE, () => this.transcodeVideo.execute(data.videoId));
  }
}
