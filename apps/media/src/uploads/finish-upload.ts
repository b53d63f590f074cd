import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, failpoint, logger } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { DocumentsRepository } from '../documents/documents.repository.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { UploadStore } from './upload-store.js';
import type { Upload } from './uploads.repository.js';

/** Completes an upload whose bytes are all stored: makes one object of them, for a worker to take. */
@Injectable()
export class FinishUpload {
  constructor(
    private readonly database: Database,
    private readonly store: UploadStore,
    private readonly videos: VideosRepository,
    private readonly documents: DocumentsRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. Called after the last bytes, when a client asks for the offset, and by the sweep. */
  async execute(upload: Upload): Promise<void> {
    await this.store.finish(upload.key);
    if (await this.markUploaded(upload, this.clock.wall())) await this.deleteTemporaryObjects(upload);
  }

  /** False if another process was first. */
  private markUploaded({ table, id, size }: Upload, at: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const isFirst = await this[table].markUploaded(tx, id, size, at);
      if (isFirst) await failpoint('media.upload.before-commit');
      return isFirst;
    });
  }

  /** Deletes the upload's temporary objects. What cannot be deleted now is deleted with the video or the document. */
  private async deleteTemporaryObjects({ id, key: source }: Upload): Promise<void> {
    try {
      for await (const { key } of this.storage.list(`${source}.`)) await this.storage.delete(key);
    } catch (error) {
      logger.warn({ err: error, id }, 'files of an upload could not be deleted');
    }
  }
}
