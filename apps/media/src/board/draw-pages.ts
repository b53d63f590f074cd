import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type BoardDrawing } from '@classroom/contracts';
import { runTool, type Opened } from '../conversion/document-tools.js';
import { isLarge, sizeOf } from './board-sheet.js';
import type { BoardPrograms } from './board-tools.js';
import type { PdfPage } from './slide-pages.js';

/** Bytes of all drawings and pages of documents of one file together. */
export const MAX_BYTES = 128 * 1024 ** 2;

const MIB = 1024 ** 2;
const LIMITS = { memory: 2048 * MIB, processorSeconds: 60, fileSize: MAX_BYTES };
const TIMEOUT_MS = 90_000;
/** Pages that one run draws. They share its fonts. */
const PAGES_OF_RUN = 32;
/** Characters of SVG from which a run gets no further page. */
const SVG_OF_RUN = 8 * MIB;
/** Points of a pixel: rsvg-convert takes pixels of 96 in an inch. */
const POINTS = 0.75;

export type DrawnPage = Pick<BoardDrawing, 'documentId' | 'documentPage' | 'box'> & { drawing: PdfPage };

export interface Drawings {
  pages: AsyncIterable<BoardDrawing>;
  /** Writes the picture of a document into the folder. */
  picture(documentId: string): Promise<void>;
}

/** Draws the pages of a board, each as it arrives. @throws as `runTool` does, or AppError BOARD_TOO_LARGE */
export async function drawPages(opened: Opened, { rsvgConvert }: BoardPrograms, { pages, picture }: Drawings): Promise<DrawnPage[]> {
  const written = new Set<string>();
  const drawn: DrawnPage[] = [];
  let bytes = 0;
  let run = { file: join(opened.folder, '0.pdf'), sources: [] as string[], characters: 0 };
  const finish = async (size: string[] = []) => {
    const { file, sources } = run;
    run = { file: join(opened.folder, `${drawn.length}.pdf`), sources: [], characters: 0 };
    if (sources.length === 0) return;
    const command: [string, ...string[]] = [rsvgConvert, '--format=pdf', ...size, `--output=${file}`, ...sources];
    await runTool(opened, { command, limits: LIMITS, timeoutMs: TIMEOUT_MS });
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
