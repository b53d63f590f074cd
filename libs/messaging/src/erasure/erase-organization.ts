import type { ErasureOutcome, ErasureRequest } from '@classroom/contracts';
import {
  deleteOwnedRows,
  listOwnedTables,
  mayHaveLeftRows,
  type Database,
  type OwnedTable,
  type Transaction,
} from '@classroom/persistence/sql';
import { applyErasure } from './apply-erasure.js';

/** A call of `erasure.apply` stops after this time (milliseconds); the next one continues. */
const BUDGET_MS = 10_000;

/** Erases one batch of an organization's data. @returns what it erased, by store, and whether nothing is left */
type ErasureStep = (tx: Transaction) => Promise<ErasureOutcome>;

/**
 * Deletes all rows of an organization from the tables of this service, except those in `kept`, in transactions of one batch each.
 * @param steps what else it erases, after the rows; each is repeated until it is complete
 * @param isDone whether what others do because of the steps is done; asked again by the next call
 */
export async function eraseOrganization(
  database: Database,
  request: ErasureRequest,
  {
    kept = [],
    steps = [],
    isDone = () => Promise.resolve(true),
  }: { kept?: readonly string[]; steps?: readonly ErasureStep[]; isDone?: (tx: Transaction) => Promise<boolean> } = {},
): Promise<ErasureOutcome> {
  const end = performance.now() + BUDGET_MS;
  const tables = await listOwnedTables(database);
  // It has the counts of what was erased so far.
  const owned = tables.filter(({ name }) => name !== 'applied_erasures' && !kept.includes(name));
  for (const step of [...owned.map((table) => deletionFrom(table, request.organizationId)), ...steps]) {
    for (;;) {
      if (performance.now() > end) return { isComplete: false, counts: {} };
      let isLeft = false;
      const outcome = await applyErasure(database, request, async (tx) => {
        const { isComplete, counts } = await step(tx);
        isLeft = !isComplete;
        return { isComplete: false, counts };
      });
      if (outcome.isComplete) return outcome;
      if (!isLeft) break;
    }
  }
  return applyErasure(database, request, async (tx) => ({ isComplete: await isDone(tx), counts: {} }));
}

const deletionFrom =
  (table: OwnedTable, organizationId: string): ErasureStep =>
  async (tx) => {
    const deleted = await deleteOwnedRows(tx, table, organizationId);
    return { isComplete: !mayHaveLeftRows(deleted), counts: { [storeOf(table.name)]: deleted } };
  };

/** `chat_messages` as receipts name it: `chat messages`. */
const storeOf = (table: string) => table.replace(/_by_month$/, '').replaceAll('_', ' ');
