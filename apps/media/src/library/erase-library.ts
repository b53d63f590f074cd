import { Injectable } from '@nestjs/common';
import {
  AppError,
  deleteDocument,
  deleteVideo,
  erasureRpc,
  type ErasureOutcome,
  type ErasureRequest,
  type RpcInput,
} from '@classroom/contracts';
import { applyErasure, DueWorks, eraseOrganization, Handles, type DueWork } from '@classroom/messaging';
import { Clock, failpoint, InBackground } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { Database } from '@classroom/persistence';
import type { DocumentEntity } from '../schema/document.entity.js';
import type { VideoEntity } from '../schema/video.entity.js';
import { documentPrefixOf, prefixOf } from '../stored/object-keys.js';
import { DocumentsRepository } from '../stored/documents.repository.js';
import { VideosRepository } from '../stored/videos.repository.js';
import { LibraryRepository } from './library.repository.js';

/** Delay of the second deletion: a transcoder or an upload that was running at the first one may have written a last object since. */
const SECOND_DELETION_DELAY_MS = 10 * 60_000;

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

/** Deletes the objects of deleted documents as `EraseVideos` does: twice, and the row last. */
@Injectable()
export class EraseDocuments {
  @InBackground() private readonly work: DueWork<DocumentEntity>;

  constructor(
    dueWorks: DueWorks,
    private readonly documents: DocumentsRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<DocumentEntity>({
      name: 'erase-documents',
      keyOf: ({ documentId }) => documentId,
      find: (now, limit) => documents.erasable(now, limit),
      run: (document) => this.erase(document),
      parallel: 4,
    });
  }

  wake(): void {
    this.work.wake();
  }

  private async erase(document: DocumentEntity): Promise<void> {
    const prefix = documentPrefixOf(document);
    await this.storage.abortUploads(prefix);
    await this.storage.deletePrefix(prefix);
    await failpoint('media.erase-document.before-commit');
    if (document.uploadExpiresAt) await this.documents.remove(document.documentId);
    else await this.documents.scheduleSecondDeletion(document.documentId, new Date(this.clock.now().getTime() + SECOND_DELETION_DELAY_MS));
  }
}

@Injectable()
export class DeleteDocument {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly eraseDocuments: EraseDocuments,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError DOCUMENT_NOT_FOUND, also if the document was deleted before */
  @Handles(deleteDocument)
  async execute({ organizationId, roomId, documentId }: RpcInput<typeof deleteDocument>) {
    const now = this.clock.now();
    if (!(await this.documents.markDeleted(organizationId, roomId, documentId, now))) throw new AppError('DOCUMENT_NOT_FOUND');
    this.eraseDocuments.wake();
    return { documentId, deletedAt: now.toISOString() };
  }
}

/**
 * Deletes the documents of a class, and the videos and documents of an organization. Videos of a person or a class are deleted by the backend, which
 * knows their ids. It is complete when the rows are gone, which are deleted after all objects.
 */
@Injectable()
export class EraseLibrary {
  constructor(
    private readonly database: Database,
    private readonly videos: VideosRepository,
    private readonly documents: DocumentsRepository,
    private readonly eraseVideos: EraseVideos,
    private readonly eraseDocuments: EraseDocuments,
    private readonly clock: Clock,
  ) {}

  @Handles(erasureRpc.media)
  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, subject } = request;
    if ('roomId' in subject) return this.eraseClass(request, subject.roomId);
    if ('uid' in subject) return { isComplete: true, counts: {} };
    const outcome = await applyErasure(this.database, request, async (tx) => ({
      isComplete: false,
      counts: {
        videos: await this.videos.markAllDeleted(tx, organizationId, this.clock.now()),
        documents: await this.documents.markAllDeleted(tx, organizationId, null, this.clock.now()),
      },
    }));
    this.eraseVideos.wake();
    this.eraseDocuments.wake();
    if (outcome.isComplete || (await this.videos.hasAny(organizationId)) || (await this.documents.hasAny(organizationId))) return outcome;
    return eraseOrganization(this.database, request);
  }

  private async eraseClass(request: ErasureRequest, roomId: string): Promise<ErasureOutcome> {
    const { organizationId } = request;
    const outcome = await applyErasure(this.database, request, async (tx) => {
      const documents = await this.documents.markAllDeleted(tx, organizationId, roomId, this.clock.now());
      return { isComplete: !(await this.documents.hasAny(organizationId, roomId, tx)), counts: { documents } };
    });
    this.eraseDocuments.wake();
    return outcome;
  }
}
