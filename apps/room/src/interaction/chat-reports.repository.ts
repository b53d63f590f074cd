import { Injectable } from '@nestjs/common';
import { arraysOf, type Transaction } from '@classroom/persistence';
import { MoreThan } from 'typeorm';
import type { Pseudonym } from '../participants/participants.repository.js';
import { ChatReportEntity } from '../schema/chat-report.entity.js';
import { sql } from '../schema/sql.js';

const deleteOf = sql.planned('chat-reports.deleteOf', 'DELETE FROM chat_reports WHERE sid = ANY($1) RETURNING 1');

const pseudonymize = sql.planned(
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
    return (await tx.run(deleteOf, sids)).length;
  }

  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymize, ...arraysOf(people, 'sid', 'uid', 'alias'));
  }
}
