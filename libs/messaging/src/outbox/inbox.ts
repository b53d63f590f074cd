import type { Transaction } from '@classroom/persistence';

/** Whether this message is new to this consumer; the row that says so commits with what the message changed. */
export async function acceptOnce(tx: Transaction, consumer: string, messageId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'INSERT INTO inbox (consumer, message_id, received_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1 AS new',
    [consumer, messageId, at],
  );
  return rows.length === 1;
}
