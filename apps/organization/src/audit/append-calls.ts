import { Injectable } from '@nestjs/common';
import { OPERATORS_LOG, type AuditedCall } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import type { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import type { AuditHeadEntity } from '../schema/audit-head.entity.js';
import { AuditChangesRepository, type FoundChange } from './audit-changes.repository.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditPendingRepository } from './audit-pending.repository.js';
import { hashOf } from './chain.js';

/** Appends calls to the log of their organization, each once, with the changes that they made. Calls of an erased organization are dropped. */
@Injectable()
export class AppendCalls {
  constructor(
    private readonly log: AuditLogRepository,
    private readonly changes: AuditChangesRepository,
    private readonly pending: AuditPendingRepository,
  ) {}

  async append(tx: Transaction, calls: readonly AuditedCall[]): Promise<void> {
    const byId = new Map(calls.map((call) => [call.id, call]));
    const ids = [...byId.keys()];
    if (ids.length === 0) return;
    await this.pending.remove(tx, ids);
    const found = Map.groupBy(await this.changes.find(tx, ids), ({ entryId }) => entryId);
    const all = [...byId.values()].map((call) => ({ call, organizationId: logOf(call, found.get(call.id)) }));
    const erased = await this.log.findErased(tx, [...new Set(all.map(({ organizationId }) => organizationId))]);
    const given = all.filter(({ organizationId }) => !erased.has(organizationId));
    const heads = new Map<string, AuditHeadEntity>();
    const logs = [...new Set(given.map(({ organizationId }) => organizationId))];
    for (const head of await this.log.lockHeads(tx, logs)) heads.set(head.organizationId, head);
    // After the lock: another process may have appended the same call.
    const existing = await this.log.findExisting(tx, ids);
    const entries = given
      .filter(({ call }) => !existing.has(call.id))
      .map(({ call, organizationId }) => {
        const entry = chained(call, organizationId, found.get(call.id) ?? [], heads.get(organizationId));
        heads.set(organizationId, { organizationId, sequence: entry.sequence, hash: entry.hash });
        return entry;
      });
    if (entries.length === 0) return;
    await this.log.append(tx, entries, [...heads.values()]);
    await this.changes.remove(
      tx,
      entries.flatMap(({ entryId }) => found.get(entryId) ?? []),
    );
    tx.afterCommit('audit', () => logHeads(entries));
  }
}

/** A call that creates an organization does not name it; its change does. */
const logOf = ({ organizationId }: AuditedCall, changes: readonly FoundChange[] = []) =>
  organizationId ?? changes[0]?.organizationId ?? OPERATORS_LOG;

function chained(call: AuditedCall, organizationId: string, changes: FoundChange[], head: AuditHeadEntity | undefined): AuditEntryEntity {
  const { id: entryId, at, actor, operation, address, requestId, target, fields, status } = call;
  const sequence = (head?.sequence ?? 0) + 1;
  const entry = {
    entryId,
    organizationId,
    sequence,
    at: new Date(at),
    actorType: actor.type,
    actorId: actor.id,
    operation,
    address,
    requestId,
    target,
    fields,
    changes: changes.map(({ change }) => change),
    status,
  };
  return { ...entry, hash: hashOf(entry, sequence === 1 ? null : (head?.hash ?? null)) };
}

/** The newest entry of each log, for a collector of logs outside the database: proof that they existed (see `verify-audit`). */
function logHeads(entries: readonly AuditEntryEntity[]): void {
  const newest = new Map(entries.map((entry) => [entry.organizationId, entry]));
  for (const { entryId, sequence, hash } of newest.values())
    logger.info({ auditEntry: entryId, sequence, auditHash: hash.toString('hex') }, 'audit log extended');
}
