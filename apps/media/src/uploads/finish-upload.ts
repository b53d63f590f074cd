import { Injectable } from '@nestjs/common';
import { Clock, logger } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { sourceKeyOf, type VideoRow } from '../videos/video.row.js';
import { UploadsRepository } from './uploads.repository.js';
import { UploadStore } from './upload-store.js';

/** Every byte of an upload is stored: one object is made of it, and its video waits for a worker. */
@Injectable()
export class FinishUpload {
  constructor(
    private readonly store: UploadStore,
    private readonly uploads: UploadsRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Idempotent: after the last bytes, when a client asks how far it is, and from the sweep. */
  async execute(video: VideoRow): Promise<void> {
    await this.store.finish(sourceKeyOf(video));
    if (await this.uploads.finish(video, this.clock.wall())) await this.tidy(video);
  }

  /** What stood beside the file while it was uploaded; what stays goes with the video. */
  private async tidy(video: VideoRow): Promise<void> {
    try {
      for await (const { key } of this.storage.list(`${sourceKeyOf(video)}.`)) await this.storage.delete(key);
    } catch (error) {
      logger.warn({ err: error, videoId: video.videoId }, 'what an upload left could not be deleted');
    }
  }
}
