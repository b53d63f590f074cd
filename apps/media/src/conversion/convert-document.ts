import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Clock, CONFIG, failpoint, InBackground, inSpan, Lease, LeaseLost, linkTo, logger, observedGauge } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { DueWorks, type DueWork } from '@classroom/messaging';
import type { MediaConfig } from '../config.js';
import type { DocumentEntity } from '../schema/document.entity.js';
import { type DocumentPage } from '../stored/document-pages.repository.js';
import { DocumentsRepository } from '../stored/documents.repository.js';
import { documentSourceOf, pagePathOf, pagesPrefixOf, WIDTHS } from '../stored/object-keys.js';
import { download, WorkFolders } from '../transcoding/work-folders.js';
import { RejectedSource } from '../transcoding/source.js';
import { retryUntilAvailable, StorageUnreachable } from '../transcoding/retry.js';
import { DocumentTools, type Opened } from './document-tools.js';
import { drawPage, drawPicture, kindOf, pagesOf, textsOf, toPdf, type Picture } from './make-pages.js';
import { rejectDocument } from './rejected-document.js';

const MAX_ATTEMPTS = 5;
/** For the programs of one attempt: 500 pages of average slides take two minutes. */
const TOTAL_MS = 20 * 60_000;
const STORAGE_RETRY_DELAY_MS = 60_000;

/** Draws one page. Each picture is uploaded before the next is made. */
type Draw = (width: (typeof WIDTHS)[number]) => Promise<Picture>;

/** What an attempt has made. */
interface Made {
  pages: DocumentPage[];
  /** Bytes of all pictures. */
  bytes: number;
}

/** One attempt at a document that was claimed: downloads it, inspects it, and makes pictures and text of its pages. */
@Injectable()
export class ConvertDocument {
  readonly leaseMs: number;

  constructor(
    @Inject(CONFIG) config: Pick<MediaConfig, 'TRANSCODING_LEASE_SECONDS'>,
    private readonly documents: DocumentsRepository,
    private readonly storage: ObjectStorage,
    private readonly tools: DocumentTools,
    private readonly folders: WorkFolders,
    private readonly clock: Clock,
  ) {
    this.leaseMs = config.TRANSCODING_LEASE_SECONDS * 1_000;
  }

  /** @param stopping at shutdown: another worker begins it again @throws faults of this machine: the document waits for the lease's end */
  async execute(document: DocumentEntity, stopping: AbortSignal): Promise<void> {
    const { documentId, attempt } = document;
    linkTo(document.trace);
    const lease = new Lease('document-lease', { ms: this.leaseMs }, () =>
      this.documents.renew(documentId, attempt, this.later(this.leaseMs)),
    );
    const signal = AbortSignal.any([lease.signal, stopping]);
    try {
      await lease.during(async () => {
        if (attempt > MAX_ATTEMPTS) throw rejectDocument('interrupted');
        const { pages, bytes } = await this.convert(document, signal);
        await failpoint('media.convert.before-commit');
        if (!(await this.documents.complete(document, pages, bytes, this.clock.now()))) throw new LeaseLost('deleted, or taken by another');
      });
      await this.clear(document, attempt - 1);
    } catch (error) {
      await this.settle(document, error, stopping.aborted);
      await this.clear(document, attempt);
    }
  }

  private async settle(document: DocumentEntity, error: unknown, isStopping: boolean): Promise<void> {
    if (error instanceof RejectedSource) {
      logger.info({ err: error, documentId: document.documentId }, 'document cannot be converted');
      await this.documents.fail(document, error.message, this.clock.now());
    } else if (error instanceof LeaseLost) return;
    else if (isStopping) await this.documents.postpone(document, this.later(0));
    else if (error instanceof StorageUnreachable) await this.documents.postpone(document, this.later(STORAGE_RETRY_DELAY_MS));
    else throw error;
  }

  private async convert(document: DocumentEntity, signal: AbortSignal): Promise<Made> {
    const { documentId, attempt } = document;
    const programs = await this.tools.programs();
    return this.folders.within(documentId, attempt, async (folder) => {
      await retryUntilAvailable(() => this.deleteAttempts(document, attempt), signal);
      const file = join(folder, 'source');
      await inSpan('download source', {}, () => download(this.storage, documentSourceOf(document), file, signal));
      await failpoint('media.convert.downloaded');
      const opened: Opened = { programs, file, folder, signal, until: performance.now() + TOTAL_MS };
      const kind = await kindOf(file);
      if (kind === 'picture') return this.makePages(document, signal, [(width) => drawPicture(opened, width)], []);
      const pdf = kind === 'pdf' ? opened : { ...opened, file: await toPdf(opened) };
      const sizes = await pagesOf(pdf);
      const texts = await textsOf(pdf);
      const draws = sizes.map(
        (size, at): Draw =>
          (width) =>
            drawPage(pdf, at + 1, size, width),
      );
      return this.makePages(document, signal, draws, texts);
    });
  }

  private async makePages(document: DocumentEntity, signal: AbortSignal, draws: readonly Draw[], texts: readonly string[]): Promise<Made> {
    const prefix = pagesPrefixOf(document, document.attempt);
    const made: Made = { pages: [], bytes: 0 };
    await inSpan('make pages', {}, async () => {
      for (const [at, draw] of draws.entries()) {
        const page = at + 1;
        const pictures: Picture[] = [];
        for (const width of WIDTHS) {
          const picture = await draw(width);
          const key = `${prefix}${pagePathOf(page, width)}`;
          await retryUntilAvailable(() => this.storage.upload(key, picture, { contentType: 'image/jpeg', signal }), signal);
          await rm(picture.file);
          pictures.push(picture);
        }
        const [{ width, height }] = pictures as [Picture];
        made.pages.push({ page, width, height, text: texts[at] ?? '' });
        made.bytes += pictures.reduce((sum, { size }) => sum + size, 0);
        await failpoint('media.convert.page');
      }
    });
    return made;
  }

  private later(ms: number): Date {
    return new Date(this.clock.wall().getTime() + ms);
  }

  /** Deletes earlier output. What cannot be deleted now is deleted with the next attempt or with the document. */
  private async clear(document: DocumentEntity, upTo: number): Promise<void> {
    await this.deleteAttempts(document, upTo).catch((error: unknown) =>
      logger.warn({ err: error, documentId: document.documentId }, 'files of a failed attempt could not be deleted; will retry'),
    );
  }

  private async deleteAttempts(document: DocumentEntity, upTo: number): Promise<void> {
    for (let attempt = 1; attempt <= upTo; attempt++) await this.storage.deletePrefix(pagesPrefixOf(document, attempt));
  }
}

const NAME = 'document-conversion';
/** Documents that one process converts at the same time, next to its videos. */
const PARALLEL = 2;

/** Rows hold which documents are due. They take seconds, so they are not put into a queue. */
@Injectable()
export class DueDocuments {
  @InBackground() private readonly work: DueWork<DocumentEntity>;

  constructor(dueWorks: DueWorks, documents: DocumentsRepository, tools: DocumentTools, convertDocument: ConvertDocument) {
    this.work = dueWorks.declare<DocumentEntity>({
      name: NAME,
      isByWallTime: true,
      keyOf: ({ documentId }) => documentId,
      claim: async (now, limit) => {
        if (!(await tools.isUsable())) return [];
        return documents.claim(now, new Date(now.getTime() + convertDocument.leaseMs), limit);
      },
      run: (document, signal) => convertDocument.execute(document, signal),
      parallel: PARALLEL,
      dueSince: async () => (await documents.backlog())?.dueAt,
    });
    observedGauge('classroom_job_backlog', 'Jobs that wait or are at work, by queue', async () => [
      { value: (await documents.backlog())?.count ?? 0, attributes: { queue: NAME } },
    ]);
  }
}
