import { readFile, writeFile } from 'node:fs/promises';
import { PDFDocument, PDFImage, type PDFEmbeddedPage, type PDFPage } from 'pdf-lib';
import type { BoardDrawing } from '@classroom/contracts';
import { placeOf, sizeOf, type Placed } from './board-sheet.js';
import type { PdfPage, Slide } from './slide-pages.js';

/** A page of the file. */
export interface Sheet {
  box: BoardDrawing['box'];
  /** What is drawn. */
  drawing: PdfPage;
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
  const embedded = await embedPages(
    board,
    sheets.flatMap(({ drawing, slide }) => [drawing, ...(slide ? [slide] : [])]),
  );
  for (const { box, drawing, slide } of sheets) {
    const { width, height } = sizeOf(box);
    const page = board.addPage([width, height]);
    const under = slide && embedded.get(keyOf(slide));
    if (under) lay(page, under, placeOf(under, box));
    const drawn = embedded.get(keyOf(drawing));
    if (drawn) lay(page, drawn, { x: 0, y: 0, width, height });
  }
  await writeFile(target, await board.save());
}

function lay(page: PDFPage, one: Embedded, place: Placed): void {
  if (one instanceof PDFImage) page.drawImage(one, place);
  else page.drawPage(one, place);
}

const keyOf = ({ file, page }: Slide) => `${file} ${page}`;

/** The pages of a file are embedded together, so that they share its fonts. */
async function embedPages(board: PDFDocument, slides: readonly Slide[]): Promise<Map<string, Embedded>> {
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
