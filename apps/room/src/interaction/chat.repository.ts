import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '@classroom/contracts';
import { fitMessage } from '@classroom/messaging';
import { arraysOf, columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { MoreThan } from 'typeorm';
import type { Pseudonym } from '../participants/participants.repository.js';
import { ChatMessageEntity } from '../schema/chat-message.entity.js';
import { ChatReportEntity } from '../schema/chat-report.entity.js';
import { sql } from '../schema/sql.js';

/** Bytes of messages in an answer at most. An answer is one NATS message and may also contain the rest of a class's state. */
export const MESSAGES_BYTES = 256 * 1024;
/** Bytes of a page for the organization's backend at most. */
const PAGE_BYTES = 400 * 1024;

/** Who reads. `seesAll`: also private messages and reports; `uid`: whose own private messages are included; null for those of no participant. */
export interface ChatViewer {
  seesAll: boolean;
  uid: string | null;
}

export const BACKEND: ChatViewer = { seesAll: true, uid: null };

/** A new message. */
export type NewMessage = Omit<ChatMessage, 'deletedAt' | 'deletedBy' | 'reports'>;

const select = (seesAll: string) => `
  SELECT ${columnsOf(ChatMessageEntity, { from: 'm', except: ['sid', 'changedVersion'] })},
         CASE WHEN ${seesAll} THEN (SELECT count(*) FROM chat_reports r WHERE r.sid = m.sid AND r.version = m.version) ELSE 0 END AS "reports!"
    FROM chat_messages m`;
const visible = (seesAll: string, uid: string) => `(${seesAll} OR NOT m.is_private OR m.uid = ${uid})`;

const page = sql(
  'chat.page',
  `${select('$5::bool')} WHERE m.sid = $1 AND m.version > $2 AND m.version < $3 AND ${visible('$5::bool', '$6::text')} ORDER BY m.version DESC LIMIT $4`,
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

const pseudonymizeModerators = sql.planned(
  'chat.pseudonymizeModerators',
  `UPDATE chat_messages m SET deleted_by = p.alias FROM unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias) WHERE m.sid = p.sid AND m.deleted_by = p.uid`,
);

const changed = sql(
  'chat.changed',
  `${select('$4::bool')}
    WHERE m.sid = $1 AND m.changed_version > $2 AND m.version <= $2 AND ${visible('$4::bool', '$5::text')} AND ($4::bool OR m.deleted_at IS NOT NULL)
    ORDER BY m.version LIMIT $3`,
);

const hidden = sql(
  'chat.hidden',
  `SELECT EXISTS (SELECT FROM chat_messages WHERE sid = $1 AND version > $2 AND is_private)
          OR EXISTS (SELECT FROM chat_messages WHERE sid = $1 AND changed_version > $2 AND deleted_at IS NULL) AS "forTeachers!",
          EXISTS (SELECT FROM chat_messages WHERE sid = $1 AND changed_version > $2 AND is_private AND deleted_at IS NOT NULL) AS "forAuthors!"`,
);

const find = sql('chat.find', `${select('$3::bool')} WHERE m.sid = $1 AND m.id = $2 AND ${visible('$3::bool', '$4::text')}`);

const forExport = sql('chat.export', `${select('true')} WHERE m.sid = $1 AND m.version > $2 ORDER BY m.version LIMIT $3`);

@Injectable()
export class ChatRepository {
  constructor(private readonly database: Database) {}

  /** The latest messages between the versions (both exclusive), at most `limit` and `bytes`, in the order they were sent. */
  async page(
    sid: string,
    viewer: ChatViewer,
    { after = 0, before = Number.MAX_SAFE_INTEGER, limit, bytes }: { after?: number; before?: number; limit: number; bytes: number },
  ): Promise<{ messages: ChatMessage[]; hasMore: boolean }> {
    const rows = await this.database.run(page, sid, after, before, limit + 1, viewer.seesAll, viewer.uid);
    const latest = fitMessage(rows.slice(0, limit).map(toMessage), bytes);
    return { messages: latest.reverse(), hasMore: rows.length > latest.length };
  }

  /** Messages up to the version `after` that were deleted after it, or reported; at most `limit`, in the order they were sent. */
  async changedSince(sid: string, viewer: ChatViewer, after: number, limit: number): Promise<ChatMessage[]> {
    return (await this.database.run(changed, sid, after, limit, viewer.seesAll, viewer.uid)).map(toMessage);
  }

  /**
   * Who gets changes after a version that `EVERYONE` does not get: those who see all (a private message, a report), or also the authors
   * of private messages (a private message was deleted).
   */
  async hiddenSince(sid: string, after: number): Promise<'TEACHERS' | 'AUTHORS' | undefined> {
    const row = await this.database.first(hidden, sid, after);
    return row?.forAuthors ? 'AUTHORS' : row?.forTeachers ? 'TEACHERS' : undefined;
  }

  /** The messages after a version, the earliest first, as the organization's backend reads them. */
  async exportPage(sid: string, after: number, limit: number): Promise<{ messages: ChatMessage[]; hasMore: boolean }> {
    const rows = await this.database.run(forExport, sid, after, limit + 1);
    const messages = fitMessage(rows.slice(0, limit).map(toMessage), PAGE_BYTES);
    return { messages, hasMore: rows.length > messages.length };
  }

  async find(tx: Transaction, sid: string, id: string, viewer: ChatViewer): Promise<ChatMessage | undefined> {
    const row = await tx.first(find, sid, id, viewer.seesAll, viewer.uid);
    return row && toMessage(row);
  }

  countSince(tx: Transaction, sid: string, uid: string, since: Date): Promise<number> {
    return tx.manager.countBy(ChatMessageEntity, { sid, uid, sentAt: MoreThan(since) });
  }

  /** When the participant last wrote; undefined if never. A deleted message counts. */
  async lastSentAt(tx: Transaction, sid: string, uid: string): Promise<Date | undefined> {
    const last = await tx.manager.findOne(ChatMessageEntity, { where: { sid, uid }, order: { sentAt: 'DESC' } });
    return last?.sentAt;
  }

  async add(tx: Transaction, sid: string, { audience, ...message }: NewMessage): Promise<void> {
    const sentAt = new Date(message.sentAt);
    await tx.manager.insert(ChatMessageEntity, { ...message, sid, sentAt, isPrivate: audience === 'TEACHERS' });
  }

  /** Erases the text. `changedVersion` is the class version by which the participants learn of it. */
  async delete(
    tx: Transaction,
    sid: string,
    version: number,
    deletedAt: Date,
    deletedBy: string | null,
    changedVersion: number,
  ): Promise<void> {
    await tx.manager.update(ChatMessageEntity, { sid, version }, { text: '', deletedAt, deletedBy, changedVersion });
  }

  async markChanged(tx: Transaction, sid: string, version: number, changedVersion: number): Promise<void> {
    await tx.manager.update(ChatMessageEntity, { sid, version }, { changedVersion });
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
    const rows = arraysOf(people, 'sid', 'uid', 'alias');
    await tx.run(pseudonymize, ...rows);
    await tx.run(pseudonymizeModerators, ...rows);
  }
}

const toMessage = ({ sentAt, isPrivate, deletedAt, deletedBy, reports, ...message }: RowOf<typeof page>): ChatMessage => ({
  ...message,
  sentAt: sentAt.toISOString(),
  ...(isPrivate && { audience: 'TEACHERS' as const }),
  ...(deletedAt && { deletedAt: deletedAt.toISOString(), deletedBy }),
  ...(reports > 0 && { reports }),
});

const deleteReportsOf = sql.planned('chat-reports.deleteOf', 'DELETE FROM chat_reports WHERE sid = ANY($1) RETURNING 1');

const pseudonymizeReporters = sql.planned(
  'chat-reports.pseudonymize',
  `UPDATE chat_reports r SET uid = p.alias FROM unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias) WHERE r.sid = p.sid AND r.uid = p.uid`,
);

@Injectable()
export class ChatReportsRepository {
  /** When the participant reported the message; undefined if they did not. */
  async findTime(tx: Transaction, sid: string, version: number, uid: string): Promise<Date | undefined> {
    return (await tx.manager.findOneBy(ChatReportEntity, { sid, version, uid }))?.reportedAt;
  }

  countSince(tx: Transaction, sid: string, uid: string, since: Date): Promise<number> {
    return tx.manager.countBy(ChatReportEntity, { sid, uid, reportedAt: MoreThan(since) });
  }

  async add(tx: Transaction, sid: string, version: number, uid: string, reportedAt: Date): Promise<void> {
    await tx.manager.insert(ChatReportEntity, { sid, version, uid, reportedAt });
  }

  /** Deletes the reports of these classes. @returns how many */
  async deleteOf(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(deleteReportsOf, sids)).length;
  }

  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymizeReporters, ...arraysOf(people, 'sid', 'uid', 'alias'));
  }
}
