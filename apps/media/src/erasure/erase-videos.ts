import { Injectable } from '@nestjs/common';
import { Clock, failpoint, InBackground, inParallel, logger, Loop } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';
import { LibraryRepository } from '../videos/library.repository.js';
import { prefixOf } from '../videos/object-keys.js';
import { VideosRepository } from '../videos/videos.repository.js';

const INTERVAL_MS = 1_000;
const BATCH = 50;
const CONCURRENCY = 4;
/** Delay of the second deletion: a transcoder or an upload that was running at the first one may have written a last object since. */
const SECOND_DELETION_DELAY_MS = 10 * 60_000;

/**
 * Deletes the objects of deleted videos, including those of unfinished uploads, then deletes again what was written late. The row is
 * removed last, so that no object is forgotten while the storage is unreachable.
 */
@Injectable()
export class EraseVideos {
  @InBackground() private readonly loop = new Loop('erase-videos', INTERVAL_MS, () => this.run());

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
    await inParallel(videos, CONCURRENCY, (video) => this.erase(video));
  }

  /** Idempotent. */
  private async erase(video: VideoEntity): Promise<void> {
    const { videoId } = video;
    try {
      await failpoint('media.erase.before-storage');
      // Aborted first, so that no multipart upload can become an object after the deletion.
      await this.storage.abortUploads(prefixOf(video));
      await this.storage.deletePrefix(prefixOf(video));
      await failpoint('media.erase.before-commit');
      if (video.uploadExpiresAt) await this.videos.remove(videoId);
      else await this.videos.scheduleSecondDeletion(videoId, new Date(this.clock.now().getTime() + SECOND_DELETION_DELAY_MS));
    } catch (error) {
      logger.warn({ err: error, videoId }, 'deleted video not yet erased; will retry');
    }
  }
}
