import { Injectable } from '@nestjs/common';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, failpoint, InBackground, inParallel, logger, Loop } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';
import { prefixOf, sourceKeyOf } from '../videos/object-keys.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { FinishUpload } from './finish-upload.js';
import { UploadsRepository } from './uploads.repository.js';
import { UploadStore } from './upload-store.js';

const RECONCILE_INTERVAL_MS = 15_000;
const EXPIRY_INTERVAL_MS = 5_000;
const BATCH = 200;
const CONCURRENCY = 4;

/** Compares rows with the storage: a process may have died between a file's last byte and its row. Also ends expired uploads. */
@Injectable()
export class UploadReconciler {
  @InBackground() private readonly reconciling = new Loop('finished-uploads', RECONCILE_INTERVAL_MS, () => this.reconcile());
  @InBackground() private readonly expiring: DueWork<VideoEntity>;
  /** Id of the last video of the previous batch: if many uploads are open, each run checks the next batch. */
  private after = '';

  constructor(
    dueWorks: DueWorks,
    private readonly uploads: UploadsRepository,
    private readonly videos: VideosRepository,
    private readonly store: UploadStore,
    private readonly finishUpload: FinishUpload,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {
    this.expiring = dueWorks.declare<VideoEntity>({
      name: 'expired-uploads',
      intervalMs: EXPIRY_INTERVAL_MS,
      keyOf: ({ videoId }) => videoId,
      find: (now, limit) => uploads.overdue(now, limit),
      run: (video) => this.expire(video),
      parallel: CONCURRENCY,
    });
  }

  private async reconcile(): Promise<void> {
    const open = await this.uploads.open(this.after, BATCH);
    this.after = open.length === BATCH ? (open.at(-1)?.videoId ?? '') : '';
    await inParallel(open, CONCURRENCY, async (video) => {
      await this.finishIfComplete(video).catch((error: unknown) =>
        logger.warn({ err: error, videoId: video.videoId }, 'upload could not be checked; will retry'),
      );
    });
  }

  private async expire(video: VideoEntity): Promise<void> {
    if (await this.finishIfComplete(video)) return;
    // The row last: if the process dies in between, the next run repeats all of it.
    await this.storage.abortUploads(prefixOf(video));
    await this.storage.deletePrefix(prefixOf(video));
    await failpoint('media.expire.before-commit');
    const message = video.recordingId ? 'The recording could not be copied' : 'The upload was not finished in time';
    await this.videos.failUpload(video.videoId, message, this.clock.now());
  }

  /** Finishes the upload if the whole file is stored. True if it is. */
  private async finishIfComplete(video: VideoEntity): Promise<boolean> {
    if (!video.uploadId) return false;
    const upload = await this.store.getUpload(sourceKeyOf(video)).catch((error: unknown) => {
      // The upload was never opened, because the process that created the row died first.
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!upload || upload.offset !== upload.size) return false;
    await this.finishUpload.execute(video);
    return true;
  }
}

const isNotFound = (error: unknown) => (error as { status_code?: number }).status_code === 404;
