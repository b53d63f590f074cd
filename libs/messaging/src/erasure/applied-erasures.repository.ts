import type { ErasureOutcome } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence/sql';
import { sql } from '../schema/sql.js';

const add = sql(
  'appliedErasures.add',
  `INSERT INTO applied_erasures (erasure_id, organization_id, is_complete, counts) VALUES ($1, $2, false, '{}') ON CONFLICT DO NOTHING`,
);
const lock = sql(
  'appliedErasures.lock',
  'SELECT is_complete AS "isComplete", counts FROM applied_erasures WHERE erasure_id = $1 AND organization_id = $2 FOR UPDATE',
);
const save = sql('appliedErasures.save', 'UPDATE applied_erasures SET is_complete = $2, counts = $3 WHERE erasure_id = $1');

/** Locks what was erased so far until `tx` ends. */
export async function lockErasure(tx: Transaction, erasureId: string, organizationId: string): Promise<ErasureOutcome> {
  await tx.run(add, erasureId, organizationId);
  const row = await tx.first(lock, erasureId, organizationId);
  if (!row) throw new Error('an erasure of another organization has this id');
  return { isComplete: row.isComplete, counts: row.counts as ErasureOutcome['counts'] };
}

export async function saveErasure(tx: Transaction, erasureId: string, { isComplete, counts }: ErasureOutcome): Promise<void> {
  await tx.run(save, erasureId, isComplete, JSON.stringify(counts));
}
