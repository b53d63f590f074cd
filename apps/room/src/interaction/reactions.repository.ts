import { Injectable } from '@nestjs/common';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { LessThan, MoreThan } from 'typeorm';
import { ReactionEntity } from '../schema/reaction.entity.js';
import { sql } from '../schema/sql.js';

const since = sql(
  'reactions.since',
  `SELECT id, uid, name, emoji, sent_at AS "sentAt" FROM reactions WHERE sid = $1 AND version > $2 AND sent_at > $3 ORDER BY version`,
);

@Injectable()
export class ReactionsRepository {
  constructor(private readonly database: Database) {}

  /** Reactions of a class after the class version `version` that were sent after `from`. */
  since(sid: string, version: number, from: Date): Promise<RowOf<typeof since>[]> {
    return this.database.run(since, sid, version, from);
  }

  countSince(tx: Transaction, sid: string, uid: string, from: Date): Promise<number> {
    return tx.manager.countBy(ReactionEntity, { sid, uid, sentAt: MoreThan(from) });
  }

  async add(tx: Transaction, row: ReactionEntity): Promise<void> {
    await tx.manager.insert(ReactionEntity, row);
  }

  async deleteBefore(before: Date): Promise<void> {
    await this.database.manager.delete(ReactionEntity, { sentAt: LessThan(before) });
  }
}
