import { Injectable } from '@nestjs/common';
import { AppError, deleteVideo, type RpcInput } from '@classroom/contracts';
import { DueWorks, Handles, type DueWork } from '@classroom/messaging';
import { Clock, failpoint, InBackground } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';
import { prefixOf } from '../videos/object-keys.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { LibraryRepository } from './library.repository.js';

/** Delay of the second deletion: a transcoder or an upload that was running at the first one may have written a last object since. */
export const SECOND_DELETION_DELAY_MS = 10 * 60_000;

/**
 * Deletes the objects of deleted videos, including those of unfinished uploads, then deletes again what was written late. The row is
 * removed last, so that no object is forgotten while the storage is unreachable.
 */
@Injectable()
export class EraseVideos {
  @InBackground() private readonly work: DueWork<VideoEntity>;

  constructor(
    dueWorks: DueWorks,
    library: LibraryRepository,
    private readonly videos: VideosRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<VideoEntity>({
      name: 'erase-videos',
      keyOf: ({ videoId }) => videoId,
      find: (now, limit) => library.erasable(now, limit),
      run: (video) => this.erase(video),
      parallel: 4,
    });
  }

  wake(): void {
    this.work.wake();
  }

  private async erase(video: VideoEntity): Promise<void> {
    await failpoint('media.erase.before-storage');
    // Aborted first, so that no multipart upload can become an object after the deletion.
    await this.storage.abortUploads(prefixOf(video));
    await this.storage.deletePrefix(prefixOf(video));
    await failpoint('media.erase.before-commit');
    if (video.uploadExpiresAt) await this.videos.remove(video.videoId);
    else await this.videos.scheduleSecondDeletion(video.videoId, new Date(this.clock.now().getTime() + SECOND_DELETION_DELAY_MS));
  }
}

@Injectable()
export class DeleteVideo {
  constructor(
    private readonly videos: VideosRepository,
    private readonly eraseVideos: EraseVideos,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError VIDEO_NOT_FOUND, also if the video was deleted before */
  @Handles(deleteVideo)
  async execute({ organizationId, videoId }: RpcInput<typeof deleteVideo>) {
    const now = this.clock.now();
    if (!(await this.videos.markDeleted(organizationId, videoId, now))) throw new AppError('VIDEO_NOT_FOUND');
    this.eraseVideos.wake();
    return { videoId, deletedAt: now.toISOString() };
  }
}
