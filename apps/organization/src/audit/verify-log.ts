import type { DataSource, EntityManager } from 'typeorm';
import { MoreThan } from 'typeorm';
import { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import { AuditHeadEntity } from '../schema/audit-head.entity.js';
import { ErasureEntity } from '../schema/erasure.entity.js';
import { ChainVerifier } from './chain.js';

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
