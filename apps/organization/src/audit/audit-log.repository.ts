import { Injectable } from '@nestjs/common';
import { arraysOf, columnsOf, Database, namedArraysOf, type PagePosition, type RowOf, type Transaction } from '@classroom/persistence';
import type { AuditChange, AuditedCall } from '@classroom/contracts';
import { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import type { AuditHeadEntity } from '../schema/audit-head.entity.js';
import { sql } from '../schema/sql.js';

/** Null sets no limit. */
export interface AuditFilter {
  organizationId: string | null;
  from: Date | null;
  to: Date | null;
  operation: string | null;
  actor: string | null;
}

const addHeads = sql(
  'audit-log.addHeads',
  `INSERT INTO audit_heads (organization_id, sequence, hash) SELECT organization_id, 0, '' FROM unnest($1::text[]) AS t(organization_id)
    ORDER BY organization_id ON CONFLICT DO NOTHING`,
);
/** In the order that all transactions share. */
const lockHeads = sql(
  'audit-log.lockHeads',
  `SELECT organization_id AS "organizationId", sequence, hash FROM audit_heads WHERE organization_id = ANY($1::text[])
    ORDER BY organization_id FOR NO KEY UPDATE`,
);
const moveHeads = sql(
  'audit-log.moveHeads',
  `UPDATE audit_heads h SET sequence = t.sequence, hash = t.hash
     FROM unnest($1::text[], $2::int8[], $3::bytea[]) AS t(organization_id, sequence, hash) WHERE h.organization_id = t.organization_id`,
);
const findExisting = sql('audit-log.findExisting', 'SELECT entry_id AS "entryId" FROM audit_entries WHERE entry_id = ANY($1::text[])');
const append = sql(
  'audit-log.append',
  `INSERT INTO audit_entries (entry_id, organization_id, sequence, at, actor_type, actor_id, operation, address, request_id, target, fields,
                              changes, status, hash)
   SELECT * FROM unnest(:entryId::text[], :organizationId::text[], :sequence::int8[], :at::timestamptz[], :actorType::text[], :actorId::text[],
                        :operation::text[], :address::text[], :requestId::text[], :target::json[], :fields::json[], :changes::json[], :status::int4[], :hash::bytea[])`,
);
const page = sql.planned(
  'audit-log.page',
  `SELECT ${columnsOf(AuditEntryEntity)} FROM audit_entries
    WHERE (:organizationId::text IS NULL OR organization_id = :organizationId) AND (:from::timestamptz IS NULL OR at >= :from)
      AND (:to::timestamptz IS NULL OR at < :to)
      AND (:operation::text IS NULL OR operation = :operation) AND (:actor::text IS NULL OR actor_id = :actor)
      AND (:afterAt::timestamptz IS NULL OR (at, entry_id) < (:afterAt, :afterId::text))
    ORDER BY at DESC, entry_id DESC LIMIT :limit`,
);

const findErased = sql(
  'audit-log.findErased',
  'SELECT organization_id AS "organizationId" FROM erasures WHERE organization_id = ANY($1::text[]) AND is_of_organization AND completed_at IS NOT NULL',
);
const removeHead = sql('audit-log.removeHead', 'DELETE FROM audit_heads WHERE organization_id = $1');
const countEntries = sql('audit-log.countEntries', 'SELECT count(*)::float8 AS "count!" FROM audit_entries WHERE organization_id = $1');
const eraseEntries = sql('audit-log.eraseEntries', 'SELECT erase_audit_entries($1)::float8 AS "removed!"');

/** The audit log of each organization and that of the operators. It can only grow, until its organization is erased: the service's role may not change its rows. */
@Injectable()
export class AuditLogRepository {
  constructor(private readonly database: Database) {}

  /** The ends of the logs. They stay locked until `tx` ends: other transactions that append to these logs wait. */
  async lockHeads(tx: Transaction, organizationIds: readonly string[]): Promise<AuditHeadEntity[]> {
    await tx.run(addHeads, organizationIds);
    return tx.run(lockHeads, organizationIds);
  }

  /** Those of the organizations whose erasure is completed: they have no log any more. */
  async findErased(tx: Transaction, organizationIds: readonly string[]): Promise<Set<string>> {
    return new Set((await tx.run(findErased, organizationIds)).map(({ organizationId }) => organizationId));
  }

  async countOf(tx: Transaction, organizationId: string): Promise<number> {
    return (await tx.first(countEntries, organizationId))?.count ?? 0;
  }

  /**
   * Deletes the log of an organization whose erasure `tx` has completed. It never begins again.
   * @param counted entries that the receipt states @throws if there are others by now
   */
  async eraseOf(tx: Transaction, organizationId: string, counted: number): Promise<void> {
    await tx.run(removeHead, organizationId);
    const removed = (await tx.first(eraseEntries, organizationId))?.removed ?? 0;
    if (removed !== counted) throw new Error(`the log has ${removed} entries, and had ${counted}`);
  }

  async findExisting(tx: Transaction, entryIds: readonly string[]): Promise<Set<string>> {
    return new Set((await tx.run(findExisting, entryIds)).map(({ entryId }) => entryId));
  }

  async append(tx: Transaction, entries: readonly AuditEntryEntity[], heads: readonly AuditHeadEntity[]): Promise<void> {
    const rows = entries.map((entry) => ({
      ...entry,
      target: JSON.stringify(entry.target),
      fields: JSON.stringify(entry.fields),
      changes: JSON.stringify(entry.changes),
    }));
    const request = ['actorType', 'actorId', 'operation', 'address', 'requestId', 'target', 'fields', 'changes', 'status'] as const;
    await tx.run(append, namedArraysOf(rows, 'entryId', 'organizationId', 'sequence', 'at', ...request, 'hash'));
    await tx.run(moveHeads, ...arraysOf(heads, 'organizationId', 'sequence', 'hash'));
  }

  /** Newest first. */
  page(filter: AuditFilter, after: PagePosition | undefined, limit: number): Promise<AuditEntryEntity[]> {
    return this.database.run(page, { ...filter, afterAt: after?.createdAt ?? null, afterId: after?.id ?? null, limit });
  }
}

const addBegun = sql(
  'audit-pending.addBegun',
  'INSERT INTO audit_pending (entry_id, organization_id, call, due_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
);
const addUncertain = sql(
  'audit-pending.addUncertain',
  `INSERT INTO audit_pending (entry_id, organization_id, call, due_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (entry_id) DO UPDATE SET call = excluded.call, due_at = excluded.due_at`,
);
const takeDue = sql(
  'audit-pending.takeDue',
  `DELETE FROM audit_pending WHERE entry_id = ANY(ARRAY(
     SELECT entry_id FROM audit_pending WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
   RETURNING entry_id AS "entryId", call`,
);
const remove = sql('audit-pending.remove', 'DELETE FROM audit_pending WHERE entry_id = ANY($1::text[])');

/** Calls that have begun and whose end is not known, or that may still have an effect. */
@Injectable()
export class AuditPendingRepository {
  async addBegun(tx: Transaction, call: AuditedCall, log: string, dueAt: Date): Promise<void> {
    await tx.run(addBegun, call.id, log, JSON.stringify(call), dueAt);
  }

  /** A call that failed in a way that does not exclude an effect. Replaces the call that has begun. */
  async addUncertain(tx: Transaction, call: AuditedCall, log: string, dueAt: Date): Promise<void> {
    await tx.run(addUncertain, call.id, log, JSON.stringify(call), dueAt);
  }

  /** Deletes the calls that are due at `now`, at most `limit`. Skips those that another process takes. */
  takeDue(tx: Transaction, now: Date, limit: number): Promise<RowOf<typeof takeDue>[]> {
    return tx.run(takeDue, now, limit);
  }

  async remove(tx: Transaction, entryIds: readonly string[]): Promise<void> {
    await tx.run(remove, entryIds);
  }
}

const addChange = sql(
  'audit-changes.add',
  'INSERT INTO audit_changes (entry_id, organization_id, change, created_at) VALUES ($1, $2, $3, $4)',
);
const findChanges = sql(
  'audit-changes.find',
  `SELECT position, entry_id AS "entryId", organization_id AS "organizationId", change FROM audit_changes
    WHERE entry_id = ANY($1::text[]) ORDER BY position`,
);
const removeChanges = sql('audit-changes.remove', 'DELETE FROM audit_changes WHERE position = ANY($1::int8[])');

export type FoundChange = RowOf<typeof findChanges>;

/** What audited calls changed, from their commit until their entry is appended to the log. */
@Injectable()
export class AuditChangesRepository {
  async add(tx: Transaction, entryId: string, organizationId: string, change: AuditChange, at: Date): Promise<void> {
    await tx.run(addChange, entryId, organizationId, JSON.stringify(change), at);
  }

  /** Those of the entries, in their order. */
  find(tx: Transaction, entryIds: readonly string[]): Promise<FoundChange[]> {
    return tx.run(findChanges, entryIds);
  }

  async remove(tx: Transaction, changes: readonly FoundChange[]): Promise<void> {
    const positions = changes.map(({ position }) => position);
    if (positions.length > 0) await tx.run(removeChanges, positions);
  }
}
