import { arraysOf, type Database, type RowOf, type Transaction } from '@classroom/persistence/sql';
import { sql } from '../schema/sql.js';

/** One relay per schema at a time. The lock ends with its transaction, so it also works behind a transaction pooler. */
const RELAY_LOCK = 1_190_101;
export const RELAY_BATCH = 200;

const add = sql(
  'outbox.add',
  `INSERT INTO outbox (id, subject, body, trace, created_at)
   SELECT id, subject, body, trace, $5 FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS t(id, subject, body, trace)`,
);
/**
 * The setting makes the transaction read the unpublished facts in the order of their index. It would otherwise read them as a bitmap, because
 * statistics say that there are few, and then visit each fact that was published since the last vacuum.
 */
const lock = sql(
  'outbox.lock',
  `SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}, hashtext(current_schema())) AS "isHeld!", set_config('enable_bitmapscan', 'off', true)`,
);
const unpublished = sql(
  'outbox.unpublished',
  `SELECT id, subject, body, trace FROM outbox WHERE published_at IS NULL ORDER BY position LIMIT ${RELAY_BATCH}`,
);
const markPublished = sql('outbox.markPublished', 'UPDATE outbox SET published_at = $2 WHERE id = ANY($1::uuid[])');
const setAside = sql(
  'outbox.setAside',
  `WITH removed AS (DELETE FROM outbox WHERE id = ANY($1::uuid[]) RETURNING id, subject, body, trace, created_at)
   INSERT INTO outbox_set_aside (id, subject, body, trace, created_at, set_aside_at, reason)
   SELECT removed.id, subject, body, trace, created_at, $3, reason
     FROM removed JOIN unnest($1::uuid[], $2::text[]) AS refused(id, reason) ON refused.id = removed.id`,
);
const backlog = sql(
  'outbox.backlog',
  `SELECT count(*) AS "waiting!", min(created_at) AS oldest, (SELECT count(*) FROM outbox_set_aside) AS "setAside!"
     FROM outbox WHERE published_at IS NULL`,
);
const lastUnpublished = sql('outbox.lastUnpublished', 'SELECT max(position) AS position FROM outbox WHERE published_at IS NULL');
const isWaiting = sql(
  'outbox.isWaiting',
  'SELECT EXISTS (SELECT FROM outbox WHERE published_at IS NULL AND position <= $1) AS "isWaiting!"',
);
const deletePublished = sql.planned(
  'outbox.deletePublished',
  `DELETE FROM outbox WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM outbox WHERE published_at < $1 ORDER BY published_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
);
const oldestPublished = sql('outbox.oldestPublished', 'SELECT min(published_at) AS oldest FROM outbox WHERE published_at IS NOT NULL');

export type WaitingFact = RowOf<typeof unpublished>;

export interface OutboxRow {
  id: string;
  subject: string;
  body: string;
  trace: string | null;
}

export async function addFacts(tx: Transaction, facts: readonly OutboxRow[], now: Date): Promise<void> {
  await tx.run(add, ...arraysOf(facts, 'id', 'subject', 'body', 'trace'), now);
}

/** False if the relay of another process is working on this schema. */
export async function lockForRelay(tx: Transaction): Promise<boolean> {
  return (await tx.first(lock))?.isHeld ?? false;
}

/** At most RELAY_BATCH facts. Selected by `published_at IS NULL`, never by a cursor, because transactions commit out of order. */
export const unpublishedFacts = (tx: Transaction): Promise<WaitingFact[]> => tx.run(unpublished);

export async function markFactsPublished(tx: Transaction, ids: readonly string[], at: Date): Promise<void> {
  await tx.run(markPublished, ids, at);
}

export async function setFactsAside(tx: Transaction, refused: readonly { id: string; reason: string }[], at: Date): Promise<void> {
  await tx.run(setAside, ...arraysOf(refused, 'id', 'reason'), at);
}

/** How many facts wait, since when the oldest one waits, and how many are set aside. */
export async function readBacklog(database: Database): Promise<RowOf<typeof backlog>> {
  const row = await database.first(backlog);
  return row ?? { waiting: 0, oldest: null, setAside: 0 };
}

/** @returns the position of the last committed fact that is not in the stream yet; null: all are */
export async function lastUnpublishedFact(database: Database): Promise<number | null> {
  return (await database.first(lastUnpublished))?.position ?? null;
}

/** Whether a fact up to this position is not in the stream yet. */
export async function isFactWaiting(database: Database, position: number): Promise<boolean> {
  return (await database.first(isWaiting, position))?.isWaiting ?? false;
}

/** @returns the number of deleted rows, at most `limit`; rows that another process is deleting are skipped */
export async function deletePublishedFacts(database: Database, before: Date, limit: number): Promise<number> {
  return (await database.run(deletePublished, before, limit)).length;
}

export async function oldestPublishedAt(database: Database): Promise<Date | null> {
  return (await database.first(oldestPublished))?.oldest ?? null;
}
