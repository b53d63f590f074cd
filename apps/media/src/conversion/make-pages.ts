import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MAX_DOCUMENT_PAGES } from '@classroom/contracts';
import { pictureSizeOf, pictureTypeOf } from '@classroom/platform';
import { inputOptions, type AllowedInput } from '@classroom/sandbox';
import { WIDTHS } from '../stored/object-keys.js';
import { runTool, type Opened } from './document-tools.js';
import { MAX_SIDE_POINTS, rejectDocument } from './rejected-document.js';

const MIB = 1024 ** 2;
const LIMITS = { memory: 1024 * MIB, processorSeconds: 60, fileSize: 0 };
const TIMEOUT_MS = 120_000;
/** Readers of PDF accept its mark within this many bytes. */
const HEAD_BYTES = 1_024;
/** Of the end of a ZIP file, where its list of entries is. */
const TAIL_BYTES = MIB;
const MAX_OUTPUT = MIB;

export type DocumentKind = 'pdf' | 'picture' | 'office';

/** A page in points, as it is shown. */
interface PageSize {
  width: number;
  height: number;
}

/** What a file is by its content, whatever was said about it. @throws RejectedSource if it is none of these */
export async function kindOf(path: string): Promise<DocumentKind> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (length: number, position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const kind = kindBy(await read(HEAD_BYTES, 0), await read(TAIL_BYTES, Math.max(0, size - TAIL_BYTES)));
    if (!kind) throw rejectDocument('unreadable');
    return kind;
  } finally {
    await file.close();
  }
}

export function kindBy(head: Buffer, tail: Buffer): DocumentKind | undefined {
  if (head.includes('%PDF-')) return 'pdf';
  const picture = pictureTypeOf(head);
  if (picture === 'image/png' || picture === 'image/jpeg') return 'picture';
  const isZip = head.toString('latin1', 0, 4) === 'PK\u0003\u0004';
  const isOdp = head.includes('mimetypeapplication/vnd.oasis.opendocument.presentation');
  return isZip && (isOdp || tail.includes('ppt/presentation.xml')) ? 'office' : undefined;
}

/** The pages of a PDF. @throws RejectedSource if there are too many, or if it is encrypted or cannot be read */
export async function pagesOf(opened: Opened): Promise<PageSize[]> {
  let output = '';
  await runTool(opened, {
    command: [opened.programs.pdfinfo, '-f', '1', '-l', String(MAX_DOCUMENT_PAGES), opened.file],
    limits: LIMITS,
    timeoutMs: TIMEOUT_MS,
    onOutput: (text) => (output = (output + text).slice(-MAX_OUTPUT)),
  });
  return readPages(output);
}

/** @param info output of pdfinfo @throws RejectedSource */
export function readPages(info: string): PageSize[] {
  // Title and author come first. They may look like any other line.
  const own = info.slice(Math.max(0, info.lastIndexOf('\nPages:')));
  const count = Number(/^Pages: +(\d+)$/m.exec(own)?.[1] ?? Number.NaN);
  if (Number.isNaN(count)) throw rejectDocument('unreadable');
  if (!/^Encrypted: +no$/m.test(own)) throw rejectDocument('encrypted');
  if (count > MAX_DOCUMENT_PAGES) throw rejectDocument('tooMany');
  const rotations = new Map([...own.matchAll(/^Page +(\d+) rot: +(\d+)$/gm)].map(([, page, degrees]) => [page, Number(degrees)]));
  const pages = [...own.matchAll(/^Page +(\d+) size: +(\S+) x (\S+) pts/gm)].map(([, page, across, up]): PageSize => {
    const [width, height] = [Number(across), Number(up)];
    if (!(Math.max(width, height) <= MAX_SIDE_POINTS && Math.min(width, height) > 0)) throw rejectDocument('tooLarge');
    return (rotations.get(page) ?? 0) % 180 === 90 ? { width: height, height: width } : { width, height };
  });
  if (pages.length === 0) throw rejectDocument('empty');
  if (pages.length !== count) throw rejectDocument('unreadable');
  return pages;
}

/** A picture is at most twice as high as wide; a longer page is narrower. */
const MAX_RATIO = 2;
/** Of one picture of one page. A page of photos takes some hundred MB. */
const PAGE_LIMITS = { memory: 2048 * MIB, processorSeconds: 30, fileSize: 32 * MIB };
const PAGE_TIMEOUT_MS = 60_000;
const TEXT_LIMITS = { memory: 1024 * MIB, processorSeconds: 30, fileSize: 0 };
const TEXT_TIMEOUT_MS = 120_000;
const OFFICE_LIMITS = { memory: 8192 * MIB, processorSeconds: 300, fileSize: 512 * MIB };
const OFFICE_TIMEOUT_MS = 400_000;

/** Characters of a page's text. */
export const MAX_TEXT = 3_000;

const PICTURE_INPUT: AllowedInput = { formats: ['png_pipe', 'jpeg_pipe'], decoders: ['png', 'mjpeg'] };
/** Pixels of a picture's larger side, if it is square. */
const MAX_PICTURE_SIDE = 12_000;
/** Makes transparent areas white: premultiplying fills them with black, so it is done on the negative, where black is white. */
const WHITE_BACKGROUND = 'format=gbrap,negate,premultiply=inplace=1,negate,format=yuvj420p';

type Width = (typeof WIDTHS)[number];
export interface Picture extends PageSize {
  file: string;
  /** Bytes. */
  size: number;
}

/** Pixels of a page's picture. */
export function fit({ width, height }: PageSize, most: number): PageSize {
  const scale = Math.min(most / width, (most * MAX_RATIO) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Makes a picture of a page of a PDF. @throws as `runTool` does */
export async function drawPage(opened: Opened, page: number, size: PageSize, most: Width): Promise<Picture> {
  const { width, height } = fit(size, most);
  const pixels = ['-scale-to-x', String(width), '-scale-to-y', String(height)];
  const which = ['-f', String(page), '-l', String(page), '-singlefile', '-cropbox'];
  await runTool(opened, {
    command: [opened.programs.pdftocairo, '-jpeg', '-jpegopt', 'quality=85', ...which, ...pixels, opened.file, join(opened.folder, 'page')],
    limits: PAGE_LIMITS,
    timeoutMs: PAGE_TIMEOUT_MS,
  });
  return pictureOf(join(opened.folder, 'page.jpg'));
}

/** Makes a picture of a picture. A small one is not enlarged. @throws as `runTool` does */
export async function drawPicture(opened: Opened, most: Width): Promise<Picture> {
  const target = join(opened.folder, 'page.jpg');
  const scale = `scale=w='min(${most},iw)':h='min(${most * MAX_RATIO},ih)':force_original_aspect_ratio=decrease`;
  const input = ['-nostdin', '-v', 'error', ...inputOptions(PICTURE_INPUT, opened.file, MAX_PICTURE_SIDE)];
  const output = [
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-vf',
    `${scale},${WHITE_BACKGROUND}`,
    '-c:v',
    'mjpeg',
    '-q:v',
    '3',
    '-f',
    'image2pipe',
  ];
  await runTool(opened, {
    command: [opened.programs.ffmpeg, ...input, ...output, '-y', `file:${target}`],
    limits: PAGE_LIMITS,
    timeoutMs: PAGE_TIMEOUT_MS,
  });
  return pictureOf(target);
}

async function pictureOf(file: string): Promise<Picture> {
  // A page that could not be drawn may leave no file.
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw rejectDocument('unreadable', cause);
  });
  const size = pictureSizeOf(bytes);
  if (!size) throw rejectDocument('unreadable');
  return { file, size: bytes.length, width: size.width, height: size.height };
}

/** The text of each page of a PDF. @throws as `runTool` does */
export async function textsOf(opened: Opened): Promise<string[]> {
  const texts = new PageTexts();
  await runTool(opened, {
    command: [opened.programs.pdftotext, '-enc', 'UTF-8', '-l', String(MAX_DOCUMENT_PAGES), opened.file, '-'],
    limits: TEXT_LIMITS,
    timeoutMs: TEXT_TIMEOUT_MS,
    onOutput: (text) => texts.read(text),
  });
  return texts.all;
}

/** Characters that are kept of a page before its white space is reduced. */
const MAX_RAW = 4 * MAX_TEXT;
// oxlint-disable-next-line no-control-regex -- Postgres stores no NUL, and the others mean nothing in a text
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]+/g;

/** Reads the output of pdftotext, in which each page ends with a form feed, and keeps the beginning of each page. */
export class PageTexts {
  private readonly pages = [''];

  read(output: string): void {
    for (const [at, piece] of output.split('\f').entries()) {
      if (at > 0) this.pages.push('');
      const last = this.pages.length - 1;
      if (last > MAX_DOCUMENT_PAGES) return;
      this.pages[last] = ((this.pages[last] ?? '') + piece).slice(0, MAX_RAW);
    }
  }

  get all(): string[] {
    return this.pages.map((text) =>
      text
        .replaceAll(CONTROLS, ' ')
        .replaceAll(/ +/g, ' ')
        .replaceAll(/ ?\n[ \n]*/g, '\n')
        .trim()
        .slice(0, MAX_TEXT)
        .toWellFormed(),
    );
  }
}

/** Makes a PDF of a presentation, with LibreOffice. @returns its file @throws RejectedSource also if LibreOffice is not installed */
export async function toPdf(opened: Opened): Promise<string> {
  const { soffice } = opened.programs;
  if (soffice === undefined) throw rejectDocument('office');
  const profile = `-env:UserInstallation=${pathToFileURL(join(opened.folder, 'profile')).href}`;
  const folder = join(opened.folder, 'office');
  await runTool(opened, {
    command: [soffice, profile, '--headless', '--norestore', '--convert-to', 'pdf', '--outdir', folder, opened.file],
    limits: OFFICE_LIMITS,
    timeoutMs: OFFICE_TIMEOUT_MS,
  });
  return join(folder, 'source.pdf');
}
