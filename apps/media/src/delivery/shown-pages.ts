import { Injectable } from '@nestjs/common';
import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { pagePathOf, pagesPrefixOf, WIDTHS } from '../stored/object-keys.js';
import { DocumentsRepository } from '../stored/documents.repository.js';

/** How long a row is cached: the pages of a deleted document may still be shown for this long. */
const CACHE_TTL_MS = 2_000;
const MAX_ENTRIES = 2_000;
const PATH = new RegExp(`^(${WIDTHS.join('|')})/([1-9]\\d{0,2})\\.jpg$`);

/** Finds the pictures of documents, by rows that are cached: everyone in a class requests the same page at the same moment. */
@Injectable()
export class ShownPages {
  /** By document; null if it cannot be shown. */
  private readonly prefixes = new LRUCache<string, Promise<{ prefix: string; pages: number } | null>>({
    ...atMost(MAX_ENTRIES),
    ttl: CACHE_TTL_MS,
  });

  constructor(private readonly documents: DocumentsRepository) {}

  /** Key of the object at a path below the signed prefix of a document. Undefined if there is no such page. */
  async keyOf(documentId: string, path: string): Promise<string | undefined> {
    const [, width, page] = PATH.exec(path) ?? [];
    if (page === undefined) return undefined;
    const known = this.prefixes.get(documentId) ?? this.find(documentId);
    const shown = await known;
    const wanted = WIDTHS.find((one) => String(one) === width);
    return shown && wanted && Number(page) <= shown.pages ? `${shown.prefix}${pagePathOf(Number(page), wanted)}` : undefined;
  }

  private find(documentId: string): Promise<{ prefix: string; pages: number } | null> {
    const found = this.documents
      .find(documentId)
      .then((row) => (row?.status === 'completed' ? { prefix: pagesPrefixOf(row, row.attempt), pages: row.pages ?? 0 } : null));
    this.prefixes.set(documentId, found);
    // A failed read is not cached: the next request reads again.
    found.catch(() => this.prefixes.delete(documentId));
    return found;
  }
}
