import type { Database, Transaction } from '@classroom/persistence/sql';
import { sql } from '../schema/sql.js';

const find = sql('retentionProgress.find', 'SELECT through FROM retention_progress WHERE organization_id = $1 AND data_class = $2');
const add = sql(
  'retentionProgress.add',
  'INSERT INTO retention_progress (organization_id, data_class, through) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
const claim = sql(
  'retentionProgress.claim',
  'SELECT 1 FROM retention_progress WHERE organization_id = $1 AND data_class = $2 FOR UPDATE SKIP LOCKED',
);
const advance = sql(
  'retentionProgress.advance',
  'UPDATE retention_progress SET through = greatest(through, $3) WHERE organization_id = $1 AND data_class = $2',
);

/** Everything of the class up to this time is erased. Null if nothing is. */
export async function findProgress(database: Database, organizationId: string, dataClass: string): Promise<Date | null> {
  return (await database.first(find, organizationId, dataClass))?.through ?? null;
}

export async function addProgress(database: Database, organizationId: string, dataClass: string, through: Date): Promise<void> {
  await database.run(add, organizationId, dataClass, through);
}

/** @returns false if another process erases data of the class at this moment */
export async function claimProgress(tx: Transaction, organizationId: string, dataClass: string): Promise<boolean> {
  return (await tx.run(claim, organizationId, dataClass)).length === 1;
}

export async function advanceProgress(tx: Transaction, organizationId: string, dataClass: string, through: Date): Promise<void> {
  await tx.run(advance, organizationId, dataClass, through);
}
