import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { failpoint, inSpan } from '@classroom/platform';
import { runTool, type Opened } from '../conversion/document-tools.js';
import { fit } from '../conversion/make-pages.js';
import { newBoardFileId } from '../library/new-ids.js';
import { RejectedSource } from '../transcoding/rejected-source.js';
import { WorkFolders } from '../transcoding/work-folders.js';
import { drawingsIn } from './board-lines.js';
import { sizeOf } from './board-sheet.js';
import type { BoardPrograms } from './board-tools.js';
import type { Sheet } from './compose-board.js';
import { composeInThread } from './compose-in-thread.js';
import { drawPages, type DrawnPage } from './draw-pages.js';
import { MAX_BYTES } from './limits.js';
import { sizeOfFiles, SlidePages, type OfRoom, type Slide } from './slide-pages.js';

const MIB = 1024 ** 2;
/** For all of one file. Six hundred pages are drawn and composed in seconds; the rest is for the programs that open their documents. */
const TOTAL_MS = 3 * 60_000;
const PNG_LIMITS = { memory: 2048 * MIB, processorSeconds: 60, fileSize: 256 * MIB };
const TIMEOUT_MS = 60_000;
/** Pixels of a picture's width. */
const PNG_WIDTH = 2_560;

export interface Order extends OfRoom {
  format: 'png' | 'pdf';
}

/** Makes a PDF or PNG file of a board. Nothing of it is stored. */
@Injectable()
export class WriteBoardFile {
  constructor(
    private readonly folders: WorkFolders,
    private readonly slidePages: SlidePages,
  ) {}

  /**
   * @param frames the board as lines of JSON
   * @returns the file. It has no name any more, so that nothing is left of it when it is closed, or when this process ends.
   * @throws AppError BOARD_TOO_LARGE, SERVICE_UNAVAILABLE, the signal's reason, or faults of this machine
   */
  async execute(order: Order, programs: BoardPrograms, frames: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<FileHandle> {
    return this.folders.within(newBoardFileId(), 1, async (folder) => {
      const opened: Opened = { programs, file: join(folder, 'board.pdf'), folder, signal, until: performance.now() + TOTAL_MS };
      const picture = (documentId: string) => this.slidePages.picture(opened, order, documentId);
      try {
        const drawn = await inSpan('draw board', {}, () => drawPages(opened, programs, { pages: drawingsIn(frames), picture }));
        await failpoint('media.board.drawn');
        const sheets = await inSpan('find slides', {}, () => this.withSlides(opened, order, drawn));
        await limitSize(sheets.flatMap(({ drawing, slide }) => [drawing.file, ...(slide ? [slide.file] : [])]));
        const job = { title: `Board of ${order.roomId}`, sheets, target: opened.file };
        await inSpan('compose board', {}, () => composeInThread(job, signal, opened.until));
        return await open(order.format === 'pdf' ? opened.file : await this.picture(opened, sheets));
      } catch (error) {
        // The pages are ours: they are at fault only if they are too large or too complex.
        throw error instanceof RejectedSource ? new AppError('BOARD_TOO_LARGE', { cause: error }) : error;
      }
    });
  }

  private async withSlides(opened: Opened, room: OfRoom, drawn: readonly DrawnPage[]): Promise<Sheet[]> {
    const slides = new Map<string | null, Map<number, Slide>>();
    for (const [documentId, pages] of Map.groupBy(drawn, (page) => page.documentId)) {
      if (documentId === null) continue;
      const wanted = pages.flatMap(({ documentPage }) => documentPage ?? []);
      slides.set(documentId, await this.slidePages.find(opened, room, documentId, wanted));
      await limitSize([...slides.values()].flatMap((found) => [...found.values()].map(({ file }) => file)));
    }
    return drawn.map(({ box, drawing, documentId, documentPage }) => ({
      box,
      drawing,
      slide: slides.get(documentId)?.get(documentPage ?? 0),
    }));
  }

  /** Of the first page. */
  private async picture(opened: Opened, [first]: readonly Sheet[]): Promise<string> {
    if (!first) throw new AppError('BOARD_PAGE_NOT_FOUND');
    const { width, height } = fit(sizeOf(first.box), PNG_WIDTH);
    const pixels = ['-scale-to-x', String(width), '-scale-to-y', String(height)];
    const picture = join(opened.folder, 'board');
    await runTool(opened, {
      command: [opened.programs.pdftocairo, '-png', '-singlefile', ...pixels, opened.file, picture],
      limits: PNG_LIMITS,
      timeoutMs: TIMEOUT_MS,
    });
    return `${picture}.png`;
  }
}

/** @throws AppError BOARD_TOO_LARGE */
async function limitSize(files: readonly string[]): Promise<void> {
  if ((await sizeOfFiles(files)) > MAX_BYTES) throw new AppError('BOARD_TOO_LARGE');
}
