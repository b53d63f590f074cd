import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, failpoint, InBackground, inParallel, logger, Loop } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { DocumentsRepository } from '../stored/documents.repository.js';
import { VideosRepository } from '../stored/videos.repository.js';
import { UploadStore } from './upload-store.js';
import { UploadsRepository, type Upload } from './uploads.repository.js';

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

const RECONCILE_INTERVAL_MS = 15_000;
const EXPIRY_INTERVAL_MS = 5_000;
const BATCH = 200;
const CONCURRENCY = 4;

/** Compares rows with the storage: a process may have died between a file's last byte and its row. Also ends expired uploads. */
@Injectable()
export class UploadReconciler {
  @InBackground() private readonly reconciling = new Loop('finished-uploads', RECONCILE_INTERVAL_MS, () => this.reconcile());
  @InBackground() private readonly expiring: DueWork<Upload>;
  /** Id of the last video or document of the previous batch: if many uploads are open, each run checks the next batch. */
  private after = '';

  constructor(
    dueWorks: DueWorks,
    private readonly uploads: UploadsRepository,
    private readonly videos: VideosRepository,
    private readonly documents: DocumentsRepository,
    private readonly store: UploadStore,
    private readonly finishUpload: FinishUpload,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {
    this.expiring = dueWorks.declare<Upload>({
      name: 'expired-uploads',
      intervalMs: EXPIRY_INTERVAL_MS,
      keyOf: ({ id }) => id,
      find: (now, limit) => uploads.overdue(now, limit),
      run: (upload) => this.expire(upload),
      parallel: CONCURRENCY,
    });
  }

  private async reconcile(): Promise<void> {
    const open = await this.uploads.open(this.after, BATCH);
    this.after = open.length === BATCH ? (open.at(-1)?.id ?? '') : '';
    await inParallel(open, CONCURRENCY, async (upload) => {
      await this.finishIfComplete(upload).catch((error: unknown) =>
        logger.warn({ err: error, id: upload.id }, 'upload could not be checked; will retry'),
      );
    });
  }

  private async expire(upload: Upload): Promise<void> {
    if (await this.finishIfComplete(upload)) return;
    const { table, id, prefix, uploadId } = upload;
    // The row last: if the process dies in between, the next run repeats all of it.
    await this.storage.abortUploads(prefix);
    await this.storage.deletePrefix(prefix);
    await failpoint('media.expire.before-commit');
    const message = uploadId === null ? WITHOUT_UPLOAD[table] : 'The upload was not finished in time';
    await this[table].failUpload(id, message, this.clock.now());
  }

  /** Finishes the upload if the whole file is stored. True if it is. */
  private async finishIfComplete(upload: Upload): Promise<boolean> {
    if (upload.uploadId === null) return false;
    const stored = await this.store.getUpload(upload.key).catch((error: unknown) => {
      // The upload was never opened, because the process that created the row died first.
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!stored || stored.offset !== stored.size) return false;
    await this.finishUpload.execute(upload);
    return true;
  }
}

const WITHOUT_UPLOAD = { videos: 'The recording could not be copied', documents: 'The file could not be loaded from its address' };
const isNotFound = (error: unknown) => (error as { status_code?: number }).status_code === 404;
