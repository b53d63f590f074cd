import { Injectable } from '@nestjs/common';
import type { AuditChange, AuditedCall } from '@classroom/contracts';
import type { RowOf, Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

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
