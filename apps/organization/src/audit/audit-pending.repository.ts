import { Injectable } from '@nestjs/common';
import type { AuditedCall } from '@classroom/contracts';
import { type RowOf, type Transaction } from '@classroom/persistence';
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
