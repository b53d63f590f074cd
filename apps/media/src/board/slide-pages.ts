import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { logger } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { runTool, type Opened } from '../conversion/document-tools.js';
import { kindOf, toPdf } from '../conversion/make-pages.js';
import { documentSourceOf, pagePathOf, pagesPrefixOf, WIDTHS } from '../stored/object-keys.js';
import { DocumentsRepository } from '../stored/documents.repository.js';
import type { DocumentEntity } from '../schema/document.entity.js';
import { RejectedSource } from '../transcoding/source.js';

const MIB = 1024 ** 2;
const LIMITS = { memory: 2048 * MIB, processorSeconds: 90, fileSize: 128 * MIB };
const TIMEOUT_MS = 120_000;

/** A page of a PDF file, from 0. */
export interface PdfPage {
  file: string;
  page: number;
}

/** What lies under a page of the board. A file without pages is a JPEG. */
export type Slide = PdfPage | { file: string; page: null };

/** Where the exported board belongs. */
export interface OfRoom {
  organizationId: string;
  roomId: string;
}

/** Pages of a class's documents as files that our own programs wrote. */
@Injectable()
export class SlidePages {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Those of the pages that exist. A document that is deleted has none.
   * @param opened its folder takes the files
   * @param pages from 1
   */
  async find(
    opened: Opened,
    { organizationId, roomId }: OfRoom,
    documentId: string,
    pages: readonly number[],
  ): Promise<Map<number, Slide>> {
    const document = await this.documents.findOwned(organizationId, roomId, documentId);
    if (document?.status !== 'completed') return new Map();
    const wanted = pages.filter((page) => page <= (document.pages ?? 0));
    const folder = join(opened.folder, documentId);
    await mkdir(folder);
    try {
      const found = await this.ofPdf({ ...opened, folder, file: join(folder, 'source') }, document, wanted);
      return found ?? (await this.pictures(opened, document, folder, wanted));
    } catch (error) {
      if (!(error instanceof RejectedSource)) throw error;
      logger.info({ err: error, documentId }, 'the pages of a document are exported as pictures');
      return this.pictures(opened, document, folder, wanted);
    }
  }

  /** Writes the first page of a document into the folder, as `<documentId>.jpg`. Nothing if there is no such document. */
  async picture({ folder, signal }: Opened, { organizationId, roomId }: OfRoom, documentId: string): Promise<void> {
    const document = await this.documents.findOwned(organizationId, roomId, documentId);
    if (document?.status !== 'completed') return;
    const key = `${pagesPrefixOf(document, document.attempt)}${pagePathOf(1, WIDTHS[0])}`;
    await this.download(key, join(folder, `${documentId}.jpg`), signal);
  }

  /** Undefined if the document is a picture. @throws RejectedSource */
  private async ofPdf(opened: Opened, document: DocumentEntity, pages: readonly number[]): Promise<Map<number, Slide> | undefined> {
    if (!(await this.download(documentSourceOf(document), opened.file, opened.signal))) return new Map();
    const kind = await kindOf(opened.file);
    if (kind === 'picture') return undefined;
    const pdf = kind === 'pdf' ? opened.file : await toPdf(opened);
    const found = new Map<number, Slide>();
    for (const [first, last] of runsOf(pages)) {
      const file = join(opened.folder, `${first}.pdf`);
      // What it writes has the pages alone, turned and cropped as they are shown: no script, link or form.
      await runTool(opened, {
        command: [opened.programs.pdftocairo, '-pdf', '-f', String(first), '-l', String(last), pdf, file],
        limits: LIMITS,
        timeoutMs: TIMEOUT_MS,
      });
      for (let page = first; page <= last; page++) found.set(page, { file, page: page - first });
    }
    await rm(opened.file);
    return found;
  }

  private async pictures(opened: Opened, document: DocumentEntity, folder: string, pages: readonly number[]): Promise<Map<number, Slide>> {
    const found = new Map<number, Slide>();
    for (const page of pages) {
      const file = join(folder, `${page}.jpg`);
      const key = `${pagesPrefixOf(document, document.attempt)}${pagePathOf(page, WIDTHS[0])}`;
      if (await this.download(key, file, opened.signal)) found.set(page, { file, page: null });
    }
    return found;
  }

  /** False if the object does not exist: the document is being deleted. @throws AppError SERVICE_UNAVAILABLE */
  private async download(key: string, file: string, signal: AbortSignal): Promise<boolean> {
    try {
      if (!(await this.storage.head(key))) return false;
      await pipeline(await this.storage.read(key), createWriteStream(file), { signal });
      return true;
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof AppError && cause.code === 'NOT_FOUND') return false;
      throw cause instanceof AppError ? cause : new AppError('SERVICE_UNAVAILABLE', { cause });
    }
  }
}

/** Pages that follow each other, as [first, last]. */
export function runsOf(pages: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const page of [...new Set(pages)].sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run && run[1] === page - 1) run[1] = page;
    else runs.push([page, page]);
  }
  return runs;
}

/** Bytes of the files, each counted once. */
export async function sizeOfFiles(files: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const file of new Set(files)) bytes += (await stat(file)).size;
  return bytes;
}
