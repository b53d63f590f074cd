import type { ErasureOutcome, ErasureRequest } from '@classroom/contracts';
import { deleteOwnedRows, listOwnedTables, mayHaveLeftRows, type Database, type Transaction } from '@classroom/persistence';
import { applyErasure } from './apply-erasure.js';

/** A call of `erasure.apply` stops after this time (milliseconds); the next one continues. */
const BUDGET_MS = 10_000;

/**
 * Deletes all rows of an organization from the tables of this service, except those in `kept`, in transactions of one batch each.
 * @param finish what else the last transaction does, and whether that is all
 */
export async function eraseOrganization(
  database: Database,
  request: ErasureRequest,
  { kept = [], finish }: { kept?: readonly string[]; finish?: (tx: Transaction) => Promise<ErasureOutcome> } = {},
): Promise<ErasureOutcome> {
  const end = performance.now() + BUDGET_MS;
  for (const table of await listOwnedTables(database)) {
    // It has the counts of what was erased so far.
    if (table.name === 'applied_erasures' || kept.includes(table.name)) continue;
    for (;;) {
      if (performance.now() > end) return { isComplete: false, counts: {} };
      let deleted = 0;
      const outcome = await applyErasure(database, request, async (tx) => {
        deleted = await deleteOwnedRows(tx, table, request.organizationId);
        return { isComplete: false, counts: { [storeOf(table.name)]: deleted } };
      });
      if (outcome.isComplete) return outcome;
      if (!mayHaveLeftRows(deleted)) break;
    }
  }
  return applyErasure(database, request, async (tx) => (await finish?.(tx)) ?? { isComplete: true, counts: {} });
}

/** `chat_messages` as receipts name it: `chat messages`. */
const storeOf = (table: string) => table.replace(/_by_month$/, '').replaceAll('_', ' ');
