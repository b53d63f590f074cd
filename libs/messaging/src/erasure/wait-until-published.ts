import type { Database } from '@classroom/persistence';
import { isFactWaiting, lastUnpublishedFact } from '../outbox/outbox.repository.js';
import { isTrueWithin } from '../jetstream/is-true-within.js';

/** Waits until the facts that this service has committed so far are in the stream. @returns false if they were not within two seconds */
export async function waitUntilPublished(database: Database): Promise<boolean> {
  const last = await lastUnpublishedFact(database);
  return last === null || isTrueWithin(2_000, async () => !(await isFactWaiting(database, last)));
}
