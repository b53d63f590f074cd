import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ObjectStorage } from '@classroom/storage';
import { z } from 'zod';
import type { KeptHead } from './verify-log.js';

const FOLDER = 'audit-heads/';
const SIGNED = `${FOLDER}signed-`;
const PURPOSE = 'classroom/organization/audit-heads/v1';
const keptHead = z.object({ organizationId: z.string().optional(), entryId: z.string(), hash: z.string() });
/** The last line of a signed file. `at` is also its name: an earlier file cannot be kept again as the newest. */
const statement = z.object({ at: z.iso.datetime(), erasing: z.array(z.string()), signature: z.string() });

/** What an earlier verification found. */
export interface Kept {
  heads: KeptHead[];
  /** When, and which organizations' erasures were requested or completed. Undefined in a file without a signature. */
  state?: { at: Date; erasing: ReadonlySet<string> };
  /** Why the newest file is not to be trusted. */
  problem?: string;
}

/** @param lines JSON, one head a line */
export const parseHeads = (lines: string): KeptHead[] =>
  lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => keptHead.parse(JSON.parse(line)));

export const printHeads = (heads: readonly KeptHead[]): string => heads.map((head) => `${JSON.stringify(head)}\n`).join('');

/**
 * Heads of earlier verifications, in the object storage. The service may add files there, and delete none: a service that was taken over could add a false one
 * as the newest. With keys, which neither the service nor the database has, only a file that one of them signed counts.
 */
export class KeptHeads {
  /** @param keys private Ed25519 keys: the first one signs, all verify */
  constructor(
    private readonly storage: Pick<ObjectStorage, 'list' | 'read' | 'upload'>,
    private readonly keys: readonly KeyObject[],
  ) {}

  /** Those of the last verification that found the logs intact. Files without a signature count until there is one with it. */
  async newest(): Promise<Kept> {
    const names: string[] = [];
    for await (const { key } of this.storage.list(FOLDER)) names.push(key);
    const signed = newestOf(names.filter((name) => name.startsWith(SIGNED)));
    const name = signed ?? newestOf(names);
    if (name === undefined) return { heads: [] };
    const file = await text(await this.storage.read(name));
    if (signed === undefined) return { heads: parseHeads(file) };
    return this.keys.length === 0 ? { heads: [], problem: `${name} is signed: give AUDIT_SIGNING_KEY` } : this.readSigned(name, file);
  }

  async keep(heads: readonly KeptHead[], erasing: readonly string[], at: Date): Promise<void> {
    const [key] = this.keys;
    const name = at.toISOString();
    const lines = printHeads(heads);
    const signature = key && sign(null, Buffer.from(signedText(lines, name, erasing)), key).toString('base64');
    const file = signature === undefined ? lines : `${lines}${JSON.stringify({ at: name, erasing, signature })}\n`;
    const body = Readable.from([file], { objectMode: false });
    await this.storage.upload(`${key ? SIGNED : FOLDER}${name}.jsonl`, body, { contentType: 'application/jsonl' });
  }

  private readSigned(name: string, file: string): Kept {
    const end = file.lastIndexOf('\n', file.length - 2) + 1;
    const [lines, last] = [file.slice(0, end), file.slice(end)];
    try {
      const { at, erasing, signature } = statement.parse(JSON.parse(last));
      const given = Buffer.from(signature, 'base64');
      const signed = Buffer.from(signedText(lines, at, erasing));
      const isOurs = this.keys.some((key) => verify(null, signed, createPublicKey(key), given));
      if (isOurs && name === `${SIGNED}${at}.jsonl`)
        return { heads: parseHeads(lines), state: { at: new Date(at), erasing: new Set(erasing) } };
    } catch {
      // No statement.
    }
    return { heads: [], problem: `${name} was not kept by this command: its signature is wrong` };
  }
}

/** Names are times. */
const newestOf = (names: readonly string[]) => [...names].sort().at(-1);

const signedText = (lines: string, at: string, erasing: readonly string[]) => `${PURPOSE}\n${lines}${JSON.stringify([at, erasing])}`;
