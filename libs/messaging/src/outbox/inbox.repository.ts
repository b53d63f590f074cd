import type { Database, Transaction } from '@classroom/persistence/sql';
import { sql } from '../schema/sql.js';

const accept = sql(
  'inbox.accept',
  'INSERT INTO inbox (consumer, message_id, received_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1',
);
/** In the order of the ids, so that two processes with the same messages do not wait for each other in a circle. */
const acceptAll = sql(
  'inbox.acceptAll',
  `INSERT INTO inbox (consumer, message_id, received_at) SELECT $1, id, $3 FROM unnest($2::text[]) AS t(id) ORDER BY id
   ON CONFLICT DO NOTHING RETURNING message_id AS "messageId"`,
);
const deleteReceived = sql.planned(
  'inbox.deleteReceived',
  `DELETE FROM inbox WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM inbox WHERE consumer = $1 AND received_at < $2 ORDER BY received_at LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
);
const oldest = sql(
  'inbox.oldest',
  `SELECT (SELECT min(received_at) FROM inbox WHERE consumer = name) AS oldest
     FROM unnest($1::text[]) WITH ORDINALITY AS c(name, place) ORDER BY place`,
);

/** Whether this message is new to this consumer. The inbox row that records it commits together with the effects of the message. */
export async function acceptOnce(tx: Transaction, consumer: string, messageId: string, at: Date): Promise<boolean> {
  return (await tx.run(accept, consumer, messageId, at)).length === 1;
}

/** As `acceptOnce` for many messages. @returns the items that are new to this consumer; of several with the same id, the first */
export async function acceptNew<T>(
  tx: Transaction,
  consumer: string,
  items: readonly T[],
  idOf: (item: T) => string,
  at: Date,
): Promise<T[]> {
  if (items.length === 0) return [];
  const accepted = new Set((await tx.run(acceptAll, consumer, items.map(idOf), at)).map(({ messageId }) => messageId));
  // `delete` returns true once for each id.
  return items.filter((item) => accepted.delete(idOf(item)));
}

/** @returns the number of deleted rows, at most `limit`; rows that another process is deleting are skipped */
export async function deleteReceivedMessages(database: Database, consumer: string, before: Date, limit: number): Promise<number> {
  return (await database.run(deleteReceived, consumer, before, limit)).length;
}

/** When the oldest inbox row of each consumer was received, in the order of `consumers`. */
export async function oldestReceivedAt(database: Database, consumers: readonly string[]): Promise<(Date | null)[]> {
  return (await database.run(oldest, consumers)).map((row) => row.oldest);
}
