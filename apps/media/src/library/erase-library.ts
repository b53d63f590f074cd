import { Injectable } from '@nestjs/common';
import { erasureRpc, type ErasureOutcome, type ErasureRequest } from '@classroom/contracts';
import { applyErasure, eraseOrganization, Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { DocumentsRepository } from '../documents/documents.repository.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { EraseDocuments } from './erase-documents.js';
import { EraseVideos } from './erase-videos.js';

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
