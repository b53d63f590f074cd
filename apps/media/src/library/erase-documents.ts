import { Injectable } from '@nestjs/common';
import { AppError, deleteDocument, type RpcInput } from '@classroom/contracts';
import { DueWorks, Handles, type DueWork } from '@classroom/messaging';
import { Clock, failpoint, InBackground } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { documentPrefixOf } from '../documents/document-keys.js';
import { DocumentsRepository } from '../documents/documents.repository.js';
import type { DocumentEntity } from '../schema/document.entity.js';
import { SECOND_DELETION_DELAY_MS } from './erase-videos.js';

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
