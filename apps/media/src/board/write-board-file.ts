import { open, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { AppError, boardDrawing, type BoardDrawing } from '@classroom/contracts';
import { failpoint, inSpan } from '@classroom/platform';
import { COMPILED_FOLDER } from '../compiled-folder.js';
import { runTool, type Opened } from '../conversion/document-tools.js';
import { fit } from '../conversion/make-pages.js';
import { newBoardFileId } from '../library/create-uploads.js';
import { RejectedSource } from '../transcoding/source.js';
import { WorkFolders } from '../transcoding/work-folders.js';
import { isLarge, sizeOf } from './board-sheet.js';
import type { BoardPrograms } from './board-tools.js';
import type { BoardJob, Sheet } from './compose-board.js';
import { sizeOfFiles, SlidePages, type OfRoom, type PdfPage, type Slide } from './slide-pages.js';

/** Bytes of all drawings and pages of documents of one file together. */
const MAX_BYTES = 128 * 1024 ** 2;

const MIB = 1024 ** 2;
const LIMITS = { memory: 2048 * MIB, processorSeconds: 60, fileSize: MAX_BYTES };
const PAGE_TIMEOUT_MS = 90_000;
/** Pages that one run draws. They share its fonts. */
const PAGES_OF_RUN = 32;
/** Characters of SVG from which a run gets no further page. */
const SVG_OF_RUN = 8 * MIB;
/** Points of a pixel: rsvg-convert takes pixels of 96 in an inch. */
const POINTS = 0.75;

type DrawnPage = Pick<BoardDrawing, 'documentId' | 'documentPage' | 'box'> & { drawing: PdfPage };

export interface Drawings {
  pages: AsyncIterable<BoardDrawing>;
  /** Writes the picture of a document into the folder. */
  picture(documentId: string): Promise<void>;
}

/** Draws the pages of a board, each as it arrives. @throws as `runTool` does, or AppError BOARD_TOO_LARGE */
async function drawPages(opened: Opened, { rsvgConvert }: BoardPrograms, { pages, picture }: Drawings): Promise<DrawnPage[]> {
  const written = new Set<string>();
  const drawn: DrawnPage[] = [];
  let bytes = 0;
  let run = { file: join(opened.folder, '0.pdf'), sources: [] as string[], characters: 0 };
  const finish = async (size: string[] = []) => {
    const { file, sources } = run;
    run = { file: join(opened.folder, `${drawn.length}.pdf`), sources: [], characters: 0 };
    if (sources.length === 0) return;
    const command: [string, ...string[]] = [rsvgConvert, '--format=pdf', ...size, `--output=${file}`, ...sources];
    await runTool(opened, { command, limits: LIMITS, timeoutMs: PAGE_TIMEOUT_MS });
    for (const source of sources) await rm(source);
    bytes += (await stat(file)).size;
    if (bytes > MAX_BYTES) throw new AppError('BOARD_TOO_LARGE');
  };
  for await (const { documentId, documentPage, box, svg, pictures } of pages) {
    for (const one of pictures.filter((it) => !written.has(it))) {
      await picture(one);
      written.add(one);
    }
    // One that is larger than readers of PDF take is drawn alone, in its own size.
    if (isLarge(box)) await finish();
    const source = join(opened.folder, `${drawn.length}.svg`);
    await writeFile(source, svg);
    drawn.push({ documentId, documentPage, box, drawing: { file: run.file, page: run.sources.length } });
    run.sources.push(source);
    run.characters += svg.length;
    if (isLarge(box)) await finish(pixelsOf(box));
    else if (run.sources.length === PAGES_OF_RUN || run.characters > SVG_OF_RUN) await finish();
  }
  await finish();
  return drawn;
}

function pixelsOf(box: BoardDrawing['box']): string[] {
  const { width, height } = sizeOf(box);
  return [`--width=${Math.round(width / POINTS)}`, `--height=${Math.round(height / POINTS)}`];
}

/** Bytes of one page of a board as a line of JSON. */
const MAX_LINE = 32 * 1024 ** 2;

/**
 * The pages of a board from lines of JSON, as they arrive. A page is taken before the next one is read.
 * @throws AppError BOARD_TOO_LARGE
 */
export async function* drawingsIn(frames: AsyncIterable<Uint8Array>, maxLine = MAX_LINE): AsyncGenerator<BoardDrawing> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const frame of frames) {
    let from = 0;
    for (let end = frame.indexOf(10); end >= 0; end = frame.indexOf(10, from)) {
      parts.push(frame.subarray(from, end));
      yield boardDrawing.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
      [parts, size, from] = [[], 0, end + 1];
    }
    const rest = frame.subarray(from);
    size += rest.length;
    if (size > maxLine) throw new AppError('BOARD_TOO_LARGE');
    parts.push(rest);
  }
}

/** MiB. What it reads and writes is next to these. */
const HEAP = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 64 };

/**
 * Composes a board in a thread of its own, whose memory and time are limited.
 * @param until by performance.now()
 * @throws AppError BOARD_TOO_LARGE, or the signal's reason
 */
async function composeInThread(job: BoardJob, signal: AbortSignal, until: number): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isLate = false;
  const worker = new Worker(join(COMPILED_FOLDER, 'board', 'board-thread.js'), { workerData: job, resourceLimits: HEAP });
  worker.once('error', reject);
  worker.once('exit', () => resolve());
  const end = () => void worker.terminate();
  const late = setTimeout(
    () => {
      isLate = true;
      end();
    },
    Math.max(0, until - performance.now()),
  );
  signal.addEventListener('abort', end, { once: true });
  try {
    await promise;
    signal.throwIfAborted();
    if (isLate) throw new AppError('BOARD_TOO_LARGE');
  } catch (error) {
    const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isOutOfMemory ? new AppError('BOARD_TOO_LARGE', { cause: error }) : error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', end);
  }
}

/** For all of one file. Six hundred pages are drawn and composed in seconds; the rest is for the programs that open their documents. */
const TOTAL_MS = 3 * 60_000;
const PNG_LIMITS = { memory: 2048 * MIB, processorSeconds: 60, fileSize: 256 * MIB };
const PNG_TIMEOUT_MS = 60_000;
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
      timeoutMs: PNG_TIMEOUT_MS,
    });
    return `${picture}.png`;
  }
}

/** @throws AppError BOARD_TOO_LARGE */
async function limitSize(files: readonly string[]): Promise<void> {
  if ((await sizeOfFiles(files)) > MAX_BYTES) throw new AppError('BOARD_TOO_LARGE');
}
