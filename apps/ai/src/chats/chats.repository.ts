import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Holder } from '@classroom/messaging';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { IsNull, LessThan, Not } from 'typeorm';
import { ChatEntity } from '../schema/chat.entity.js';
import { sql } from '../schema/sql.js';
import { TurnEntity } from '../schema/turn.entity.js';
import type { Outcome } from '../usage/usage-entry.js';
import type { ChatName, NewTurn } from './turn-plan.js';
import { QuestionsRepository } from './questions.repository.js';

/** More turns than any context window holds. */
const MAX_TURNS = 400;

const NO_LEASE = { leaseHolder: null, leaseUntil: null };

const lease = sql(
  'chats.lease',
  `INSERT INTO chats (chat_key, organization_id, kind, name, sid, room_id, student_uid, lease_holder, lease_until, created_at, updated_at)
   VALUES (:chatKey, :organizationId, :kind, :name, :sid, :roomId, :uid, :holder, :until, :now, :now)
   ON CONFLICT (organization_id, kind, name) DO UPDATE
     SET lease_holder = :holder, lease_until = :until, updated_at = :now, student_uid = coalesce(chats.student_uid, :uid)
     WHERE chats.lease_holder IS NULL OR chats.lease_until < :now
   RETURNING chat_key AS "chatKey", student_uid AS "studentUid", next_index AS "nextIndex", summary, summarized_to AS "summarizedTo"`,
);

const renew = sql('chats.renew', 'UPDATE chats SET lease_until = $3 WHERE chat_key = $1 AND lease_holder = $2 RETURNING 1');

const turnsFrom = sql(
  'chats.turnsFrom',
  `SELECT turn_id AS "turnId", dialog_index AS "dialogIndex", question, answer, has_image AS "hasImage", state
     FROM turns WHERE chat_key = $1 AND dialog_index >= $2 ORDER BY dialog_index DESC LIMIT ${MAX_TURNS}`,
);

const closeAbandonedTurns = sql(
  'chats.closeAbandonedTurns',
  `UPDATE turns SET state = 'cut_off', finished_at = $2 WHERE chat_key = $1 AND state = 'open' RETURNING turn_id AS "turnId", question`,
);

const open = sql(
  'chats.open',
  `WITH mine AS (UPDATE chats SET next_index = :dialogIndex + 1, updated_at = :askedAt
                   WHERE chat_key = :chatKey AND lease_holder = :holder AND next_index = :dialogIndex RETURNING chat_key)
   INSERT INTO turns (turn_id, chat_key, dialog_index, question, has_audio, has_image, state, asked_at)
   SELECT :turnId, chat_key, :dialogIndex, :question, :hasAudio, :hasImage, 'open', :askedAt FROM mine RETURNING 1`,
);

const findOld = sql.planned(
  'chats.findOld',
  `SELECT chat_key::text AS "key!", updated_at AS since FROM chats
    WHERE organization_id = $1 AND updated_at >= $2 AND (updated_at > $2 OR chat_key::text > $3) AND updated_at <= $4
    ORDER BY updated_at, chat_key LIMIT $5`,
);

const countOld = sql.planned(
  'chats.countOld',
  `SELECT count(*) FILTER (WHERE updated_at <= $3) AS "old!", count(*) AS "all!", min(updated_at) FILTER (WHERE updated_at <= $3) AS "oldestAt"
     FROM chats WHERE organization_id = $1 AND updated_at > $2`,
);

const findErasable = sql.planned(
  'chats.findErasable',
  `SELECT chat_key AS "chatKey" FROM chats
    WHERE organization_id = $1 AND ($2::text IS NULL OR student_uid = $2) AND ($3::text IS NULL OR room_id = $3) ORDER BY chat_key FOR UPDATE`,
);

/** Turns and questions are deleted with their chat. */
const deleteChats = sql.planned('chats.deleteChats', 'DELETE FROM chats WHERE organization_id = $1 AND chat_key = ANY($2) RETURNING sid');

/** A chat whose lease the current turn holds. */
export type LeasedChat = RowOf<typeof lease>;
export type TurnRow = RowOf<typeof turnsFrom>;
export type AbandonedTurn = RowOf<typeof closeAbandonedTurns>;

@Injectable()
export class ChatsRepository {
  constructor(
    private readonly database: Database,
    private readonly questions: QuestionsRepository,
  ) {}

  /**
   * Leases the chat and creates it if it does not exist. Undefined while another turn holds it. The row decides between processes. A chat
   * without a person becomes that of `uid`; one with a person stays theirs.
   */
  async lease(
    { organizationId, kind, name, uid, room }: ChatName,
    holder: string,
    now: Date,
    until: Date,
  ): Promise<LeasedChat | undefined> {
    const [sid, roomId] = [room?.sid ?? null, room?.roomId ?? null];
    return this.database.first(lease, { chatKey: randomUUID(), organizationId, kind, name, sid, roomId, uid, holder, now, until });
  }

  /** Chats after a position and up to a time, in the order of their last turns. */
  findOld(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.database.run(findOld, organizationId, after.since, after.key, before, limit);
  }

  /** Chats whose last turn was after `since`: all, and those whose last turn was by `before`. */
  async countOld(organizationId: string, since: Date, before: Date): Promise<RowOf<typeof countOld>> {
    const row = await this.database.first(countOld, organizationId, since, before);
    return row ?? { old: 0, all: 0, oldestAt: null };
  }

  /** Locks the dialogues of a person, or of the classes with a roomId. */
  async findErasable(tx: Transaction, organizationId: string, uid: string | null, roomId: string | null): Promise<string[]> {
    return (await tx.run(findErasable, organizationId, uid, roomId)).map(({ chatKey }) => chatKey);
  }

  /** Deletes chats with everything in them. @returns the classes to which they belonged */
  delete(tx: Transaction, organizationId: string, chatKeys: readonly string[]): Promise<RowOf<typeof deleteChats>[]> {
    return tx.run(deleteChats, organizationId, chatKeys);
  }

  /** False if another turn holds the lease, because ours had expired. */
  async renew(chatKey: string, holder: string, until: Date): Promise<boolean> {
    return (await this.database.run(renew, chatKey, holder, until)).length === 1;
  }

  async release(tx: Transaction, chatKey: string, holder: string): Promise<void> {
    await tx.manager.update(ChatEntity, { chatKey, leaseHolder: holder }, NO_LEASE);
  }

  /** The newest 400 turns from index `from` on, which the summary does not cover, oldest first. */
  async turnsFrom(chatKey: string, from: number): Promise<TurnRow[]> {
    return (await this.database.run(turnsFrom, chatKey, from)).reverse();
  }

  /**
   * Ends the turns of a chat that are still open. Only the holder of the lease may call it: it knows that no process answers them.
   * @returns those turns
   */
  async closeAbandonedTurns(tx: Transaction, chatKey: string, at: Date): Promise<AbandonedTurn[]> {
    const abandonedTurns = await tx.run(closeAbandonedTurns, chatKey, at);
    if (abandonedTurns.length > 0) await this.questions.markFailed(tx, abandonedTurns);
    return abandonedTurns;
  }

  /** Chats whose holder did not renew its lease in time. */
  abandoned(now: Date, limit: number): Promise<ChatEntity[]> {
    const where = { leaseHolder: Not(IsNull()), leaseUntil: LessThan(now) };
    return this.database.manager.find(ChatEntity, { where, take: limit });
  }

  /** False if the lease was renewed, taken or released in the meantime. */
  async releaseExpiredLease(tx: Transaction, chatKey: string, now: Date): Promise<boolean> {
    const { affected } = await tx.manager.update(ChatEntity, { chatKey, leaseHolder: Not(IsNull()), leaseUntil: LessThan(now) }, NO_LEASE);
    return affected === 1;
  }

  /** @returns false if the turn has lost its lease */
  async open(tx: Transaction, turn: NewTurn, holder: string): Promise<boolean> {
    return (await tx.run(open, { ...turn, holder })).length === 1;
  }

  /** @returns false if it has ended already: it was taken for abandoned, or this is repeated */
  async finish(tx: Transaction, turnId: string, state: Outcome, answer: string, finishedAt: Date): Promise<boolean> {
    const { affected } = await tx.manager.update(TurnEntity, { turnId, state: 'open' }, { state, answer, finishedAt });
    return affected === 1;
  }

  /** @returns false if another summary was stored first */
  async saveSummary(tx: Transaction, chatKey: string, from: number, to: number, summary: string): Promise<boolean> {
    const { affected } = await tx.manager.update(ChatEntity, { chatKey, summarizedTo: from }, { summary, summarizedTo: to });
    return affected === 1;
  }
}
