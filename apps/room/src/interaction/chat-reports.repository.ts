import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { MoreThan } from 'typeorm';
import { ChatReportEntity } from '../schema/chat-report.entity.js';

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
}
