import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import type { Outcome } from '../usage/usage-entry.js';
import type { ChatName, LeasedChat, NewTurn, TurnRow } from './chat.row.js';

/** More than any window holds. */
const TOLD_AT_MOST = 400;

export interface AbandonedChat {
  chatKey: string;
  organizationId: string;
  kind: 'agent' | 'tutor';
  sid: string | null;
  studentUid: string | null;
}

@Injectable()
export class ChatsRepository {
  constructor(private readonly database: Database) {}

  /** The chat, made where there is none, if nobody else answers in it; the row decides between processes. */
  async lease({ organizationId, kind, name, room }: ChatName, holder: string, now: Date, until: Date): Promise<LeasedChat | undefined> {
    const [chat] = await this.database.prepared<LeasedChat & Record<string, unknown>>(
      'lease-chat',
      `INSERT INTO chats (chat_key, organization_id, kind, name, sid, room_id, student_uid, lease_holder, lease_until, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, $9, $9)
       ON CONFLICT (organization_id, kind, name) DO UPDATE SET lease_holder = $8, lease_until = $10, updated_at = $9
         WHERE chats.lease_holder IS NULL OR chats.lease_until < $9
       RETURNING chat_key AS "chatKey", next_index AS "nextIndex", summary, summarized_to AS "summarizedTo"`,
      [randomUUID(), organizationId, kind, name, room?.sid ?? null, room?.roomId ?? null, room?.studentUid ?? null, holder, now, until],
    );
    return chat;
  }

  /** False where another has it: we were thought dead. */
  async renew(chatKey: string, holder: string, until: Date): Promise<boolean> {
    const rows = await this.database.prepared(
      'renew-chat',
      'UPDATE chats SET lease_until = $3 WHERE chat_key = $1 AND lease_holder = $2 RETURNING 1',
      [chatKey, holder, until],
    );
    return rows.length === 1;
  }

  async release(tx: Transaction, chatKey: string, holder: string): Promise<void> {
    await tx.query('UPDATE chats SET lease_holder = NULL, lease_until = NULL WHERE chat_key = $1 AND lease_holder = $2', [chatKey, holder]);
  }

  /** The newest of those that no summary stands for, oldest first. */
  async turnsFrom(chatKey: string, from: number): Promise<TurnRow[]> {
    const rows = await this.database.prepared<TurnRow & Record<string, unknown>>(
      'turns-from',
      `SELECT turn_id AS "turnId", dialog_index AS "dialogIndex", question, answer, has_image AS "hasImage", state
         FROM turns WHERE chat_key = $1 AND dialog_index >= $2 ORDER BY dialog_index DESC LIMIT ${TOLD_AT_MOST}`,
      [chatKey, from],
    );
    return rows.reverse();
  }

  /** Whoever holds the lease knows that a turn still open has nobody left to answer it. @returns those turns */
  settleDead(tx: Transaction, chatKey: string, at: Date): Promise<Pick<TurnRow, 'turnId' | 'question'>[]> {
    return tx.query(
      `WITH dead AS (UPDATE turns SET state = 'cut_off', finished_at = $2 WHERE chat_key = $1 AND state = 'open' RETURNING turn_id, question),
            waiting AS (UPDATE questions q SET open_reason = 'failed' FROM dead WHERE q.question_id = dead.turn_id AND q.open_reason IS NULL)
       SELECT turn_id AS "turnId", question FROM dead`,
      [chatKey, at],
    );
  }

  /** Chats whose holder has said nothing for too long. */
  abandoned(now: Date, limit: number): Promise<AbandonedChat[]> {
    return this.database.query<AbandonedChat & Record<string, unknown>>(
      `SELECT chat_key AS "chatKey", organization_id AS "organizationId", kind, sid, student_uid AS "studentUid"
         FROM chats WHERE lease_holder IS NOT NULL AND lease_until < $1 LIMIT ${limit}`,
      [now],
    );
  }

  /** False where it is alive again. */
  async takeFromDead(tx: Transaction, chatKey: string, now: Date): Promise<boolean> {
    const rows = await tx.query(
      'UPDATE chats SET lease_holder = NULL, lease_until = NULL WHERE chat_key = $1 AND lease_holder IS NOT NULL AND lease_until < $2 RETURNING 1',
      [chatKey, now],
    );
    return rows.length === 1;
  }

  /** @returns false where the lease was lost meanwhile */
  async open(tx: Transaction, turn: NewTurn, holder: string): Promise<boolean> {
    const rows = await tx.query(
      `WITH mine AS (UPDATE chats SET next_index = $3 + 1, updated_at = $8 WHERE chat_key = $2 AND lease_holder = $4 AND next_index = $3 RETURNING chat_key)
       INSERT INTO turns (turn_id, chat_key, dialog_index, question, has_audio, has_image, state, asked_at)
       SELECT $1, chat_key, $3, $5, $6, $7, 'open', $8 FROM mine RETURNING 1`,
      [turn.turnId, turn.chatKey, turn.dialogIndex, holder, turn.question, turn.hasAudio, turn.hasImage, turn.askedAt],
    );
    return rows.length === 1;
  }

  async finish(tx: Transaction, turnId: string, state: Outcome, answer: string, at: Date): Promise<void> {
    await tx.query(`UPDATE turns SET state = $2, answer = $3, finished_at = $4 WHERE turn_id = $1 AND state = 'open'`, [turnId, state, answer, at]);
  }

  /** @returns false where another summary was quicker */
  async keepSummary(tx: Transaction, chatKey: string, from: number, to: number, summary: string): Promise<boolean> {
    const rows = await tx.query('UPDATE chats SET summary = $4, summarized_to = $3 WHERE chat_key = $1 AND summarized_to = $2 RETURNING 1', [
      chatKey,
      from,
      to,
      summary,
    ]);
    return rows.length === 1;
  }
}
