import { createHash } from 'node:crypto';
import { MoreThan, type DataSource, type EntityManager } from 'typeorm';
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
