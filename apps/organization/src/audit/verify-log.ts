import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ObjectStorage } from '@classroom/storage';
import { MoreThan, type DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import { AuditHeadEntity } from '../schema/audit-head.entity.js';
import { ErasureEntity } from '../schema/erasure.entity.js';

export type Unchained = Omit<AuditEntryEntity, 'hash'>;

const VERSION = 1;

/** The hash of an entry: over its number, everything that it says, and the hash of the entry before. @param previous null for the first entry */
export function hashOf(entry: Unchained, previous: Buffer | null): Buffer {
  const { organizationId, sequence, entryId, at, actorType, actorId, operation, address, requestId, target, fields, changes, status } =
    entry;
  const said = [actorType, actorId, operation, address, requestId, target, fields, changes, status];
  const text = JSON.stringify([VERSION, organizationId, sequence, entryId, at.toISOString(), ...said, previous?.toString('hex') ?? null]);
  return createHash('sha256').update(text).digest();
}

/** Follows one log from its first entry. After a problem it continues, so that later ones are found as well. */
export class ChainVerifier {
  private sequence = 0;
  private hash: Buffer | null = null;
  readonly problems: string[] = [];

  /** @param entry the next one, in the order of `sequence` */
  add(entry: AuditEntryEntity): void {
    const expected = this.sequence + 1;
    if (entry.sequence !== expected) this.problems.push(`entries ${expected} to ${entry.sequence - 1} are missing`);
    // After a gap, the hash of the entry before is unknown.
    else if (!hashOf(entry, this.hash).equals(entry.hash))
      this.problems.push(`entry ${entry.sequence} (${entry.entryId}) was changed or moved, or the one before it was`);
    this.sequence = entry.sequence;
    this.hash = entry.hash;
  }

  /** @param head what was recorded of the newest entry; undefined if nothing was */
  end(head: { sequence: number; hash: Buffer } | undefined): void {
    if (!head) this.problems.push('the record of the newest entry is missing');
    else if (head.sequence > this.sequence) this.problems.push(`entries ${this.sequence + 1} to ${head.sequence} are missing, the newest`);
    else if (head.sequence < this.sequence || !this.hash?.equals(head.hash))
      this.problems.push(`entry ${this.sequence} is not the one that was recorded as the newest`);
  }
}

const PAGE = 1_000;

/** The newest entry of a log at some time, as an earlier verification or the service's own log stated it. */
export interface KeptHead {
  /** Unknown if it is from the service's own log. */
  organizationId?: string | undefined;
  entryId: string;
  /** Hexadecimal. */
  hash: string;
}

export interface LogReport {
  organizationId: string;
  entries: number;
  head: KeptHead | undefined;
  problems: string[];
}

export interface Verification {
  logs: LogReport[];
  /** Kept heads that are no longer in any log, although their organization was not erased. */
  lost: KeptHead[];
  /** Organizations whose erasure was requested. It may be completed. */
  erasing: string[];
  /** Of the kept heads, the organizations whose erasure is completed. */
  erased: string[];
}

/** Computes the hashes of every log again, in one snapshot of the database. @param kept entries that must still be as they were */
export const verifyLogs = (source: DataSource, kept: readonly KeptHead[] = []): Promise<Verification> =>
  source.transaction('REPEATABLE READ', async (manager) => {
    const lost = new Map(kept.map((head) => [head.entryId, head]));
    const heads = new Map((await manager.find(AuditHeadEntity)).map((head) => [head.organizationId, head]));
    const logs: LogReport[] = [];
    for (const organizationId of await organizationsOf(manager, [...heads.keys()])) {
      const verifier = new ChainVerifier();
      let head: KeptHead | undefined;
      let entries = 0;
      for await (const entry of entriesOf(manager, organizationId)) {
        verifier.add(entry);
        head = { organizationId, entryId: entry.entryId, hash: entry.hash.toString('hex') };
        if (lost.get(head.entryId)?.hash === head.hash) lost.delete(head.entryId);
        entries += 1;
      }
      verifier.end(heads.get(organizationId));
      logs.push({ organizationId, entries, head, problems: verifier.problems });
    }
    const erasures = await manager.findBy(ErasureEntity, { isOfOrganization: true });
    const erased = new Set(erasures.filter(({ completedAt }) => completedAt !== null).map((it) => it.organizationId));
    const isErased = ({ organizationId }: KeptHead) => organizationId !== undefined && erased.has(organizationId);
    return {
      logs,
      lost: [...lost.values()].filter((head) => !isErased(head)),
      erasing: [...new Set(erasures.map((it) => it.organizationId))].sort(),
      erased: [...new Set(kept.filter(isErased).map(({ organizationId = '' }) => organizationId))],
    };
  });

async function organizationsOf(manager: EntityManager, known: readonly string[]): Promise<string[]> {
  const found = await manager
    .createQueryBuilder(AuditEntryEntity, 'entry')
    .select('entry.organizationId', 'organizationId')
    .distinct(true)
    .getRawMany<{ organizationId: string }>();
  return [...new Set([...known, ...found.map(({ organizationId }) => organizationId)])].sort();
}

async function* entriesOf(manager: EntityManager, organizationId: string): AsyncGenerator<AuditEntryEntity> {
  let sequence = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const where = { organizationId, sequence: MoreThan(sequence) };
    const page = await manager.find(AuditEntryEntity, { where, order: { sequence: 'ASC' }, take: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    ({ sequence } = last);
  }
}

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
