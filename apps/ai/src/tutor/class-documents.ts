import { Injectable } from '@nestjs/common';
import { documentRpc } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { logger } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import type { PageText } from './relevance.js';

const TTL_MS = 20_000;
/** Characters of all classes together. */
const MAX_CHARACTERS = 32 * 1024 ** 2;

/** The text of the documents of classes, from the media service, cached for some seconds. */
@Injectable()
export class ClassDocuments {
  private readonly pages = new LRUCache<string, PageText[]>({
    ttl: TTL_MS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (pages) => pages.reduce((sum, { title, text }) => sum + title.length + text.length, 1),
  });

  constructor(private readonly rpc: RpcClient) {}

  /** Empty if the service cannot be reached: the tutor answers without them. */
  async of(organizationId: string, roomId: string): Promise<PageText[]> {
    const key = `${organizationId}/${roomId}`;
    const known = this.pages.get(key);
    if (known) return known;
    try {
      const { pages } = await this.rpc.call(documentRpc.texts, { organizationId, roomId });
      this.pages.set(key, pages);
      return pages;
    } catch (error) {
      logger.warn({ err: error }, 'documents of a class unavailable; the tutor answers without them');
      return [];
    }
  }
}
