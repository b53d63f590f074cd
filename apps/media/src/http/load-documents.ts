import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppError, MAX_DOCUMENT_BYTES } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import {
  ADDRESS_REASONS,
  AddressRefused,
  checkAddress,
  Clock,
  download,
  failpoint,
  InBackground,
  logger,
  Outbound,
} from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { documentSourceOf } from '../stored/object-keys.js';
import { DocumentsRepository } from '../stored/documents.repository.js';
import type { DocumentEntity } from '../schema/document.entity.js';
import { VideoQuotas } from '../stored/video-quotas.js';

/** Files that one process loads at the same time. Each is held in memory. */
const PARALLEL = 2;
const TIMEOUT_MS = 120_000;
/** Until another process may load it, if this one dies, and until the next attempt after a failed one. */
const LEASE_MS = TIMEOUT_MS + 60_000;
const RETRY_MS = 15_000;

/** Its address, or what is there, cannot become a document; a retry would end the same. The message is for users. */
class RefusedFile extends Error {}

/**
 * Loads the files of documents that have an address. Servers of strangers are asked by processes with the role `service`, because workers, which open
 * files of strangers, reach no other machine.
 */
@Injectable()
export class LoadDocuments {
  @InBackground('any') private readonly work: DueWork<DocumentEntity>;

  constructor(
    dueWorks: DueWorks,
    private readonly documents: DocumentsRepository,
    private readonly quotas: VideoQuotas,
    private readonly storage: ObjectStorage,
    private readonly outbound: Outbound,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<DocumentEntity>({
      name: 'document-loading',
      isByWallTime: true,
      keyOf: ({ documentId }) => documentId,
      claim: (now, limit) => documents.claimLoading(now, new Date(now.getTime() + LEASE_MS), limit),
      run: (document) => this.load(document),
      parallel: PARALLEL,
    });
  }

  /** An attempt that failed for another reason than the file is repeated until the document's time for it is over (`UploadReconciler`). */
  private async load(document: DocumentEntity): Promise<void> {
    const { documentId, organizationId, sourceUrl } = document;
    if (sourceUrl === null) return;
    try {
      const file = await this.fetch(sourceUrl);
      await this.storage.upload(documentSourceOf(document), Readable.from([file]), { contentType: 'application/octet-stream' });
      await failpoint('media.load.before-commit');
      await this.quotas.within(organizationId, file.length, 'url', (tx) =>
        this.documents.markUploaded(tx, documentId, file.length, this.clock.wall()),
      );
    } catch (error) {
      if (error instanceof RefusedFile || (error instanceof AppError && error.code === 'QUOTA_EXCEEDED')) {
        logger.info({ err: error, documentId }, 'file of a document cannot be loaded');
        return this.documents.failUpload(documentId, error.message, this.clock.now());
      }
      await this.documents.retryLoading(documentId, new Date(this.clock.wall().getTime() + RETRY_MS));
      throw error;
    }
  }

  /** @throws RefusedFile; any other error may pass */
  private async fetch(address: string): Promise<Buffer> {
    try {
      checkAddress(this.outbound, new URL(address));
      const { status, body } = await download(address, { outbound: this.outbound, timeoutMs: TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES });
      if (status >= 500 || status === 429) throw new Error(`the address answered ${status}`);
      if (status !== 200) throw new RefusedFile(`The address of the file answered ${status}`);
      if (body.length === 0) throw new RefusedFile('There is no file at the address: the answer is empty');
      return body;
    } catch (error) {
      if (error instanceof AddressRefused)
        throw new RefusedFile(`The address of the file ${ADDRESS_REASONS[error.reason]}`, { cause: error });
      if (error instanceof RangeError)
        throw new RefusedFile('The file at the address is larger than 100 MiB, or too often moved', { cause: error });
      throw error;
    }
  }
}
