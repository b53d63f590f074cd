import { ApiError } from '@classroom/page/api-error';
import type { FindPage } from '../documents/document-pages.js';
import type { SceneElement } from './elements.js';

/** A picture as Excalidraw takes it. */
export interface PictureFile {
  id: string;
  dataURL: string;
  mimeType: 'image/jpeg' | 'image/svg+xml';
  created: number;
}

interface Options {
  find: FindPage;
  add(file: PictureFile): void;
  /** Excalidraw inverts photos in its dark theme, because the page inverts what is drawn. Above a slide nothing is inverted. */
  isOnSlide: boolean;
  read?: typeof readPicture;
}

const [MIN_RETRY_MS, MAX_RETRY_MS] = [1_000, 30_000];

/** Loads the pictures of a page's elements, each once, until it is there. */
export class PictureFiles {
  private readonly wanted = new Set<string>();
  private readonly end = new AbortController();

  constructor(private readonly options: Options) {}

  /** Elements, pictures among them. What is loaded already is not loaded again. */
  load(elements: readonly (Pick<SceneElement, 'type' | 'isDeleted'> & { readonly fileId?: string | null })[]): void {
    for (const { type, isDeleted, fileId } of elements) {
      if (type !== 'image' || isDeleted || !fileId || this.wanted.has(fileId)) continue;
      this.wanted.add(fileId);
      void this.loadOne(fileId, MIN_RETRY_MS, false);
    }
  }

  /** The page is left. */
  stop(): void {
    this.end.abort();
  }

  private async loadOne(fileId: string, retryMs: number, isNew: boolean): Promise<void> {
    const { find, add, isOnSlide, read = readPicture } = this.options;
    try {
      const { url, width, height } = await find(fileId, 1, isNew);
      const dataURL = await read(url, this.end.signal);
      if (this.end.signal.aborted) return;
      const picture = { id: fileId, created: Date.now() };
      if (isOnSlide) add({ ...picture, dataURL: drawingOf(dataURL, width, height), mimeType: 'image/svg+xml' });
      else add({ ...picture, dataURL, mimeType: 'image/jpeg' });
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'DOCUMENT_NOT_FOUND';
      if (this.end.signal.aborted || isGone) return;
      const timer = setTimeout(() => void this.loadOne(fileId, Math.min(retryMs * 2, MAX_RETRY_MS), true), retryMs);
      this.end.signal.addEventListener('abort', () => clearTimeout(timer));
    }
  }
}

/** A drawing that consists of the picture. */
const drawingOf = (dataURL: string, width: number, height: number) =>
  `data:image/svg+xml;base64,${btoa(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><image href="${dataURL}" width="${width}" height="${height}"/></svg>`,
  )}`;

async function readPicture(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const blob = await response.blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('the picture cannot be read')));
    reader.readAsDataURL(blob);
  });
}
