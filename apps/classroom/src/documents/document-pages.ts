import type { ClassroomApi } from '../session/session.js';

type Document = Awaited<ReturnType<ClassroomApi['getDocumentInClass']>>;

/** A page of a document with the addresses of its pictures. */
export interface ShownPage {
  title: string;
  /** Pixels of the picture at `url`. */
  width: number;
  height: number;
  url: string;
  previewUrl: string;
  text: string;
}

/** Finds the addresses of a page, from 1. `isNew`: those that were found before do not work. @throws Error if there are none */
export type FindPage = (documentId: string, page: number, isNew?: boolean) => Promise<ShownPage>;

/** How long addresses are used, in milliseconds. They are valid for an hour. */
const KEPT_MS = 45 * 60_000;
/** Pages before the wanted one that are asked for too, because people leaf back. */
const BEFORE = 10;

interface Known {
  askedAt: number;
  page: Promise<ShownPage>;
}

/** The addresses of documents' pages, as far as they are known. Each answer of the service brings as many as fit. */
export class DocumentPages {
  private readonly known = new Map<string, Known>();

  constructor(private readonly get: (input: { documentId: string; after: number }) => Promise<Document>) {}

  readonly find: FindPage = (documentId, page, isNew = false) => {
    const known = this.known.get(keyOf(documentId, page));
    if (known && !isNew && Date.now() - known.askedAt < KEPT_MS) return known.page;
    return this.ask(documentId, page);
  };

  private ask(documentId: string, page: number): Promise<ShownPage> {
    const askedAt = Date.now();
    const answer = this.load(documentId, page, askedAt);
    this.known.set(keyOf(documentId, page), { askedAt, page: answer });
    answer.catch(() => this.known.delete(keyOf(documentId, page)));
    return answer;
  }

  private async load(documentId: string, page: number, askedAt: number): Promise<ShownPage> {
    const { title, pages } = await this.get({ documentId, after: Math.max(0, page - 1 - BEFORE) });
    for (const { page: number, text = '', width, height, url, previewUrl } of pages) {
      const shown = { title, text, width, height, url, previewUrl };
      this.known.set(keyOf(documentId, number), { askedAt, page: Promise.resolve(shown) });
    }
    const found = pages.some((one) => one.page === page) && this.known.get(keyOf(documentId, page));
    if (!found) throw new Error('the document has no such page');
    return found.page;
  }
}

const keyOf = (documentId: string, page: number) => `${documentId} ${page}`;
