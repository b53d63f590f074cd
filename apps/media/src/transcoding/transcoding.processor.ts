import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { processJob } from '@classroom/messaging';
import { CONFIG, InBackground, type Task } from '@classroom/platform';
import type { Job } from 'bullmq';
import type { MediaConfig } from '../config.js';
import { TranscodeVideo } from './transcode-video.js';
import { TRANSCODING_QUEUE, type TranscodingJob } from './transcoding-queue.js';

/**
 * Another worker gets the job of a killed one soon after. If the worker is alive and only slow, this does no harm: the video's lease is
 * in its row.
 */
@Processor(TRANSCODING_QUEUE, { lockDuration: 6_000, stalledInterval: 3_000, maxStalledCount: 100 })
@InBackground()
export class TranscodingProcessor extends WorkerHost implements Task {
  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    private readonly transcodeVideo: TranscodeVideo,
  ) {
    super();
  }

  start(): void {
    // The decorator has no access to the configuration.
    this.worker.concurrency = this.config.TRANSCODING_SLOTS;
  }

  /** Otherwise a free slot of a process that shuts down would keep taking jobs while another slot works. */
  stop(): Promise<void> {
    return this.worker.pause(true);
  }

  async process({ data }: Job<TranscodingJob>): Promise<void> {
    await processJob(TRANSCODING_QUEUE, () => this.transcodeVideo.execute(data.videoId));
  }
}
