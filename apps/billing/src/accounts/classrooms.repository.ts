import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import type { AccountEntity } from '../schema/account.entity.js';
import { RoomMeterEntity } from '../schema/room-meter.entity.js';

@Injectable()
export class ClassroomsRepository {
  constructor(private readonly database: Database) {}

  /** Classes that began in the account's open cycle; 0 for a prepaid account, which has no cycle. */
  async countInOpenCycle({ organizationId, cycleStart, cycleEnd }: AccountEntity): Promise<number> {
    if (!cycleStart || !cycleEnd) return 0;
    const startedAt = And(MoreThanOrEqual(cycleStart), LessThan(cycleEnd));
    return this.database.manager.countBy(RoomMeterEntity, { organizationId, startedAt });
  }
}
