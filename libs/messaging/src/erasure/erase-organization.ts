import type { ErasureOutcome, ErasureRequest } from '@classroom/contracts';
import {
  deleteOwnedRows,
  listOwnedTables,
  mayHaveLeftRows,
  type Database,
  type OwnedTable,
  type Transaction,
} from '@classroom/persistence/sql';
import { failpoint, isTrueWithin } from '@classroom/platform';
import { isFactWaiting, lastUnpublishedFact } from '../outbox/outbox.repository.js';
import { lockErasure, saveErasure } from './applied-erasures.repository.js';

/**
 * Erases in one transaction with the counts of what was erased. A repeated request returns the counts of the first; one that was incomplete
 * continues and adds its counts. "Complete" is answered when the facts that this service committed before are in the stream: who reads it to its end
 * has read all that names the subject.
 */
export async function applyErasure(
  database: Database,
  { erasureId, organizationId }: ErasureRequest,
  erase: (tx: Transaction) => Promise<ErasureOutcome>,
): Promise<ErasureOutcome> {
  const outcome = await database.transaction(async (tx) => {
    const before = await lockErasure(tx, erasureId, organizationId);
    if (before.isComplete) return before;
    const { isComplete, counts } = await erase(tx);
    const outcome = { isComplete, counts: sumOf(before.counts, counts) };
    await saveErasure(tx, erasureId, outcome);
    await failpoint('erasure.before-commit');
    return outcome;
  });
  return outcome.isComplete && !(await waitUntilPublished(database)) ? { isComplete: false, counts: {} } : outcome;
}

/** Waits until the facts that this service has committed so far are in the stream. @returns false if they were not within two seconds */
async function waitUntilPublished(database: Database): Promise<boolean> {
  const last = await lastUnpublishedFact(database);
  return last === null || isTrueWithin(2_000, async () => !(await isFactWaiting(database, last)));
}

function sumOf(before: ErasureOutcome['counts'], added: ErasureOutcome['counts']): ErasureOutcome['counts'] {
  const stores = new Set([...Object.keys(before), ...Object.keys(added)]);
  return Object.fromEntries([...stores].map((store) => [store, (before[store] ?? 0) + (added[store] ?? 0)]));
}

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
