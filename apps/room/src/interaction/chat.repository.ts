import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '@classroom/contracts';
import { fitMessage } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';

type Row = Omit<ChatMessage, 'sentAt'> & { at: Date };
/** Of an answer, which is one message of NATS and may hold the rest of a class's state as well. */
export const MESSAGES_BYTES = 256 * 1024;
const COLUMNS = `id, uid, name, role, text, version::float8 AS version, sent_at AS at`;

@Injectable()
export class ChatRepository {
  constructor(private readonly database: Database) {}

  /** The latest messages between the versions (both exclusive), at most `limit` and `bytes`, in the order they were sent. */
  async page(
    sid: string,
    { after = 0, before = Number.MAX_SAFE_INTEGER, limit, bytes }: { after?: number; before?: number; limit: number; bytes: number },
  ): Promise<{ messages: ChatMessage[]; hasMore: boolean }> {
    const rows = await this.database.query<Row>(
      `SELECT ${COLUMNS} FROM chat_messages WHERE sid = $1 AND version > $2 AND version < $3 ORDER BY version DESC LIMIT $4`,
      [sid, after, before, limit + 1],
    );
    const latest = fitMessage(rows.slice(0, limit).map(toMessage), bytes);
    return { messages: latest.reverse(), hasMore: rows.length > latest.length };
  }

  async find(tx: Transaction, sid: string, id: string): Promise<ChatMessage | undefined> {
    const [row] = await tx.query<Row>(`SELECT ${COLUMNS} FROM chat_messages WHERE sid = $1 AND id = $2`, [sid, id]);
    return row && toMessage(row);
  }

  async countSince(tx: Transaction, sid: string, uid: string, since: Date): Promise<number> {
    const [row] = await tx.query<{ sent: number }>(
      'SELECT count(*)::int AS sent FROM chat_messages WHERE sid = $1 AND uid = $2 AND sent_at > $3',
      [sid, uid, since],
    );
    return row?.sent ?? 0;
  }

  async add(tx: Transaction, sid: string, message: ChatMessage): Promise<void> {
    const { version, id, uid, name, role, text, sentAt } = message;
    await tx.query(
      'INSERT INTO chat_messages (sid, version, id, uid, name, role, text, sent_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      [sid, version, id, uid, name, role, text, sentAt],
    );
  }
}

const toMessage = ({ at, ...message }: Row): ChatMessage => ({ ...message, sentAt: at.toISOString() });
