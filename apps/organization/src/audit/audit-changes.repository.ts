import { Injectable } from '@nestjs/common';
import type { AuditChange } from '@classroom/contracts';
import { type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const add = sql('audit-changes.add', 'INSERT INTO audit_changes (entry_id, organization_id, change, created_at) VALUES ($1, $2, $3, $4)');
const find = sql(
  'audit-changes.find',
  `SELECT position, entry_id AS "entryId", organization_id AS "organizationId", change FROM audit_changes
    WHERE entry_id = ANY($1::text[]) ORDER BY position`,
);
const remove = sql('audit-changes.remove', 'DELETE FROM audit_changes WHERE position = ANY($1::int8[])');

export type FoundChange = RowOf<typeof find>;

/** What audited calls changed, from their commit until their entry is appended to the log. */
@Injectable()
export class AuditChangesRepository {
  async add(tx: Transaction, entryId: string, organizationId: string, change: AuditChange, at: Date): Promise<void> {
    await tx.run(add, entryId, organizationId, JSON.stringify(change), at);
  }

  /** Those of the entries, in their order. */
  find(tx: Transaction, entryIds: readonly string[]): Promise<FoundChange[]> {
    return tx.run(find, entryIds);
  }

  async remove(tx: Transaction, changes: readonly FoundChange[]): Promise<void> {
    const positions = changes.map(({ position }) => position);
    if (positions.length > 0) await tx.run(remove, positions);
  }
}
