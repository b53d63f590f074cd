import { readFile, writeFile } from 'node:fs/promises';
import { PDFDocument, PDFImage, type PDFEmbeddedPage } from 'pdf-lib';
import type { BoardDrawing } from '@classroom/contracts';
import { placeOf, sizeOf } from './board-sheet.js';
import type { Slide } from './slide-pages.js';

/** A page of the file. */
export interface Sheet {
  box: BoardDrawing['box'];
  /** A PDF file of what is drawn. */
  drawing: string;
  slide: Slide | undefined;
}

export interface BoardJob {
  title: string;
  sheets: readonly Sheet[];
  /** The file to be written. */
  target: string;
}

type Embedded = PDFEmbeddedPage | PDFImage;

/** Lays what is drawn over the pages of documents. All its files were written by our own programs. */
export async function composeBoard({ title, sheets, target }: BoardJob): Promise<void> {
  const board = await PDFDocument.create();
  board.setTitle(title);
  const slides = await embedSlides(
    board,
    sheets.flatMap(({ slide }) => slide ?? []),
  );
  for (const { box, drawing, slide } of sheets) {
    const { width, height } = sizeOf(box);
    const page = board.addPage([width, height]);
    const under = slide && slides.get(keyOf(slide));
    if (under instanceof PDFImage) page.drawImage(under, placeOf(under, box));
    else if (under) page.drawPage(under, placeOf(under, box));
    const [drawn] = await board.embedPdf(await readFile(drawing));
    if (drawn) page.drawPage(drawn, { x: 0, y: 0, width, height });
  }
  await writeFile(target, await board.save());
}

const keyOf = ({ file, page }: Slide) => `${file} ${page}`;

/** The pages of a file are embedded together, so that they share its fonts. */
async function embedSlides(board: PDFDocument, slides: readonly Slide[]): Promise<Map<string, Embedded>> {
  const embedded = new Map<string, Embedded>();
  for (const [file, own] of Map.groupBy(slides, (slide) => slide.file)) {
    const bytes = await readFile(file);
    const pages = [...new Set(own.flatMap(({ page }) => page ?? []))];
    if (pages.length === 0) embedded.set(keyOf({ file, page: null }), await board.embedJpg(bytes));
    const found = pages.length === 0 ? [] : await board.embedPdf(bytes, pages);
    for (const [at, page] of found.entries()) embedded.set(keyOf({ file, page: pages[at] ?? null }), page);
  }
  return embedded;
}
