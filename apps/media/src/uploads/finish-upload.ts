import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, failpoint, logger } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';
import { sourceKeyOf } from '../videos/object-keys.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { UploadStore } from './upload-store.js';

/** Completes an upload whose bytes are all stored: makes one object of them and queues the video for a worker. */
@Injectable()
export class FinishUpload {
  constructor(
    private readonly database: Database,
    private readonly store: UploadStore,
    private readonly videos: VideosRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. Called after the last bytes, when a client asks for the offset, and by the sweep. */
  async execute(video: VideoEntity): Promise<void> {
    await this.store.finish(sourceKeyOf(video));
    if (await this.markUploaded(video, this.clock.wall())) await this.deleteTemporaryObjects(video);
  }

  /** False if another process was first. */
  private markUploaded({ videoId, size }: VideoEntity, at: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const isFirst = await this.videos.markUploaded(tx, videoId, size, at);
      if (isFirst) await failpoint('media.upload.before-commit');
      return isFirst;
    });
  }

  /** Deletes the upload's temporary objects. What cannot be deleted now is deleted with the video. */
  private async deleteTemporaryObjects(video: VideoEntity): Promise<void> {
    try {
      for await (const { key } of this.storage.list(`${sourceKeyOf(video)}.`)) await this.storage.delete(key);
    } catch (error) {
      logger.warn({ err: error, videoId: video.videoId }, 'files of an upload could not be deleted');
    }
  }
}
