import { open } from 'node:fs/promises';
import { MAX_DOCUMENT_PAGES } from '@classroom/contracts';
import { pictureTypeOf } from '@classroom/platform';
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
export interface PageSize {
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
