import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import type { AccountEntity } from '../schema/account.entity.js';
import { RoomMeterEntity } from '../schema/room-meter.entity.js';

@Injectable()
export class ClassroomsRepository {
  constructor(private readonly database: Database) {}

  /** Classes that began in the account's open cycle; 0 for a prepaid account, which has no cycle. */
  async countInOpenCycle({ organizationId, cycleStart, cycleEnd }: AccountEntity): Promise<number> {
    return cycleStart && cycleEnd ? this.count(this.database, organizationId, cycleStart, cycleEnd) : 0;
  }

  /** Classes that began in a cycle: those of its statement. */
  count(within: Pick<Transaction, 'manager'>, organizationId: string, start: Date, end: Date): Promise<number> {
    return within.manager.countBy(RoomMeterEntity, { organizationId, startedAt: And(MoreThanOrEqual(start), LessThan(end)) });
  }
}
