import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ObjectStorage } from '@classroom/storage';
import { z } from 'zod';
import type { KeptHead } from './verify-log.js';

const FOLDER = 'audit-heads/';
const keptHead = z.object({ organizationId: z.string().optional(), entryId: z.string(), hash: z.string() });

/** @param lines JSON, one head a line */
export const parseHeads = (lines: string): KeptHead[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => keptHead.parse(JSON.parse(line)));

export const printHeads = (heads: readonly KeptHead[]): string => heads.map((head) => `${JSON.stringify(head)}\n`).join('');

/** Heads of earlier verifications, in the object storage: there the service may add some, and delete none. */
export class KeptHeads {
  constructor(private readonly storage: Pick<ObjectStorage, 'list' | 'read' | 'upload'>) {}

  /** Those of the last verification that found the logs intact. */
  async newest(): Promise<KeptHead[]> {
    let newest: string | undefined;
    // In the order of their names, which are times.
    for await (const { key } of this.storage.list(FOLDER)) if (newest === undefined || key > newest) newest = key;
    return newest === undefined ? [] : parseHeads(await text(await this.storage.read(newest)));
  }

  async keep(heads: readonly KeptHead[], at: Date): Promise<void> {
    const body = Readable.from([printHeads(heads)], { objectMode: false });
    await this.storage.upload(`${FOLDER}${at.toISOString()}.jsonl`, body, { contentType: 'application/jsonl' });
  }
}
