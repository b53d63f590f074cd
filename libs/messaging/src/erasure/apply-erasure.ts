import type { ErasureOutcome, ErasureRequest } from '@classroom/contracts';
import type { Database, Transaction } from '@classroom/persistence/sql';
import { failpoint, isTrueWithin } from '@classroom/platform';
import { lockErasure, saveErasure } from './applied-erasures.repository.js';
import { isFactWaiting, lastUnpublishedFact } from '../outbox/outbox.repository.js';

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
