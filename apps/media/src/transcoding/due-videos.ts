import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { enqueueDueJobs } from '@classroom/messaging';
import { Clock, Dependencies, InBackground, logger, Loop } from '@classroom/platform';
import type { Queue } from 'bullmq';
import { TranscodeVideo } from './transcode-video.js';
import { TRANSCODING_QUEUE, type TranscodingJob } from './transcoding-queue.js';
import { WaitingVideosRepository } from './waiting-videos.repository.js';

const INTERVAL_MS = 1_000;
/** How many wait in the queue: a school with one video waits for these, of hours each, and for no more of a school with a thousand. */
const BATCH = 2;

/**
 * The rows decide which videos are due; the queue only spreads the work. While Redis is unreachable, this process transcodes the videos
 * itself, one at a time.
 */
@Injectable()
export class DueVideos implements OnModuleInit {
  @InBackground() private readonly loop = new Loop('due-videos', INTERVAL_MS, () => this.run());
  private localAttempt: Promise<void> | undefined;

  constructor(
    @InjectQueue(TRANSCODING_QUEUE) private readonly queue: Queue<TranscodingJob>,
    private readonly waitingVideos: WaitingVideosRepository,
    private readonly transcodeVideo: TranscodeVideo,
    private readonly clock: Clock,
    private readonly dependencies: Dependencies,
  ) {}

  onModuleInit(): void {
    this.dependencies.register('redis', () => this.queue.isPaused(), { required: false });
  }

  private async run(): Promise<void> {
    const due = await this.waitingVideos.due(this.clock.wall(), BATCH);
    const [first] = due;
    if (first === undefined || (await this.enqueue(due))) return;
    if (this.localAttempt || !this.transcodeVideo.hasFreeSlot) return;
    // Not awaited: Redis may be reachable again at the next run.
    this.localAttempt = this.transcodeVideo
      .execute(first)
      .catch((error: unknown) => logger.warn({ err: error, videoId: first }, 'transcoding failed; will retry'))
      .finally(() => (this.localAttempt = undefined));
  }

  private enqueue(videoIds: string[]): Promise<boolean> {
    return enqueueDueJobs(
      this.queue,
      'transcode',
      videoIds.map((videoId) => ({ jobId: videoId, data: { videoId } })),
    );
  }
}
