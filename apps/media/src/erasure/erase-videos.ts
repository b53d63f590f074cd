import { Injectable } from '@nestjs/common';
import { Clock, failpoint, InBackground, inParallel, logger, Loop } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';
import { LibraryRepository } from '../videos/library.repository.js';
import { prefixOf } from '../videos/object-keys.js';
import { VideosRepository } from '../videos/videos.repository.js';

const EVERY_MS = 1_000;
const BATCH = 50;
const SIDE_BY_SIDE = 4;
/** A transcoder or an upload that was at work when its video was deleted may have written a last object by then. */
const ONCE_MORE_MS = 10 * 60_000;

/**
 * Deletes what deleted videos left in the bucket, unfinished uploads included, and once more for what was written late; the
 * row goes last, so that nothing is forgotten while the storage is away.
 */
@Injectable()
export class EraseVideos {
  @InBackground() private readonly loop = new Loop('erase-videos', EVERY_MS, () => this.run());

  constructor(
    private readonly library: LibraryRepository,
    private readonly videos: VideosRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  wake(): void {
    this.loop.wake();
  }

  private async run(): Promise<void> {
    const videos = await this.library.erasable(this.clock.now(), BATCH);
    await inParallel(videos, SIDE_BY_SIDE, (video) => this.erase(video));
  }

  /** Idempotent. */
  private async erase(video: VideoEntity): Promise<void> {
    const { videoId } = video;
    try {
      await failpoint('media.erase.before-storage');
      // Aborted first: what would be put together later is then no object any more.
      await this.storage.abortUploads(prefixOf(video));
      await this.storage.deletePrefix(prefixOf(video));
      await failpoint('media.erase.before-commit');
      if (video.uploadExpiresAt) await this.videos.remove(videoId);
      else await this.videos.eraseAgain(videoId, new Date(this.clock.now().getTime() + ONCE_MORE_MS));
    } catch (error) {
      logger.warn({ err: error, videoId }, 'a deleted video could not be erased now; it will be tried again');
    }
  }
}
