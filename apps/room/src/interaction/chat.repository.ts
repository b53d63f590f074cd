import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '@classroom/contracts';
import { fitMessage } from '@classroom/messaging';
import { arraysOf, columnsOf, Database, type Transaction } from '@classroom/persistence';
import { MoreThan } from 'typeorm';
import type { Pseudonym } from '../participants/pseudonyms.js';
import { ChatMessageEntity } from '../schema/chat-message.entity.js';
import { sql } from '../schema/sql.js';

/** Bytes of messages in an answer at most. An answer is one NATS message and may also contain the rest of a class's state. */
export const MESSAGES_BYTES = 256 * 1024;

const page = sql(
  'chat.page',
  `SELECT ${columnsOf(ChatMessageEntity)} FROM chat_messages WHERE sid = $1 AND version > $2 AND version < $3 ORDER BY version DESC LIMIT $4`,
);

const deleteOf = sql.planned('chat.deleteOf', 'DELETE FROM chat_messages WHERE sid = ANY($1) RETURNING 1');

const deleteBy = sql.planned(
  'chat.deleteBy',
  `DELETE FROM chat_messages m USING unnest($1::text[], $2::text[]) AS p(sid, uid) WHERE m.sid = p.sid AND m.uid = p.uid RETURNING 1`,
);

const pseudonymize = sql.planned(
  'chat.pseudonymize',
  `UPDATE chat_messages m SET uid = p.alias, name = '' FROM unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias)
    WHERE m.sid = p.sid AND m.uid = p.uid`,
);

@Injectable()
export class ChatRepository {
  constructor(private readonly database: Database) {}

  /** The latest messages between the versions (both exclusive), at most `limit` and `bytes`, in the order they were sent. */
  async page(
    sid: string,
    { after = 0, before = Number.MAX_SAFE_INTEGER, limit, bytes }: { after?: number; before?: number; limit: number; bytes: number },
  ): Promise<{ messages: ChatMessage[]; hasMore: boolean }> {
    const rows = await this.database.run(page, sid, after, before, limit + 1);
    const latest = fitMessage(rows.slice(0, limit).map(toMessage), bytes);
    return { messages: latest.reverse(), hasMore: rows.length > latest.length };
  }

  async find(tx: Transaction, sid: string, id: string): Promise<ChatMessage | undefined> {
    const row = await tx.manager.findOneBy(ChatMessageEntity, { sid, id });
    return row ? toMessage(row) : undefined;
  }

  countSince(tx: Transaction, sid: string, uid: string, since: Date): Promise<number> {
    return tx.manager.countBy(ChatMessageEntity, { sid, uid, sentAt: MoreThan(since) });
  }

  async add(tx: Transaction, sid: string, message: ChatMessage): Promise<void> {
    await tx.manager.insert(ChatMessageEntity, { ...message, sid, sentAt: new Date(message.sentAt) });
  }

  /** Deletes the messages of these classes. @returns how many */
  async deleteOf(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(deleteOf, sids)).length;
  }

  /** Deletes the messages of these people. @returns how many */
  async deleteBy(tx: Transaction, people: readonly { sid: string; uid: string }[]): Promise<number> {
    return (await tx.run(deleteBy, ...arraysOf(people, 'sid', 'uid'))).length;
  }

  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymize, ...arraysOf(people, 'sid', 'uid', 'alias'));
  }
}

const toMessage = ({ id, uid, name, role, text, version, sentAt }: ChatMessageEntity): ChatMessage => ({
  id,
  uid,
  name,
  role,
  text,
  version,
  sentAt: sentAt.toISOString(),
});
