import { Clock, logger, Loop } from '@classroom/platform';
import type { VideoEntity } from '../schema/video.entity.js';
import type { VideosRepository } from '../videos/videos.repository.js';
import { Eta } from './eta.js';

const RENEW_INTERVAL_MS = 1_000;

/** The attempt no longer counts and must write nothing more. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The worker shuts down in an orderly way: the attempt is not counted. */
export class Stopping extends Error {
  override readonly name = 'Stopping';
}

/**
 * Holds a video for one attempt. Each second it renews the lease and writes the progress. It ends when the row no longer belongs to
 * this attempt, or when the lease has expired because it could not be renewed.
 */
export class Lease {
  readonly eta = new Eta();
  private readonly over = new AbortController();
  private readonly loop: Loop;
  private heldUntil: number;

  constructor(
    private readonly videos: VideosRepository,
    private readonly clock: Clock,
    private readonly video: VideoEntity,
    private readonly seconds: number,
  ) {
    this.heldUntil = this.until().getTime();
    this.loop = new Loop('video-lease', RENEW_INTERVAL_MS, () => this.renew());
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Runs `work` and renews the lease until it is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.loop.start();
    try {
      return await work();
    } finally {
      await this.loop.stop();
    }
  }

  end(reason: Error): void {
    this.over.abort(reason);
  }

  private async renew(): Promise<void> {
    const { videoId, attempt } = this.video;
    const until = this.until();
    try {
      if (!(await this.videos.progress(videoId, attempt, this.eta.percent, until)))
        return this.end(new Superseded('deleted, or taken by another'));
      this.heldUntil = until.getTime();
    } catch (error) {
      logger.warn({ err: error, videoId }, 'video lease could not be renewed');
      if (this.clock.wall().getTime() > this.heldUntil) this.end(new Superseded('lease expired'));
    }
  }

  private until(): Date {
    return new Date(this.clock.wall().getTime() + this.seconds * 1_000);
  }
}
