import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { In, LessThanOrEqual } from 'typeorm';
import { RoomEntity } from '../schema/room.entity.js';

/** Rooms for which something is due, the longest due first. */
@Injectable()
export class DueRoomsRepository {
  constructor(private readonly database: Database) {}

  /** Rooms whose deadline has passed. */
  async due(now: Date, take: number): Promise<string[]> {
    const rooms = await this.database.manager.find(RoomEntity, {
      select: { sid: true },
      where: { dueAt: LessThanOrEqual(now) },
      order: { dueAt: 'ASC', sid: 'ASC' },
      take,
    });
    return rooms.map(({ sid }) => sid);
  }

  /** Rooms whose schedule has something to do. */
  async scheduled(now: Date, take: number): Promise<string[]> {
    const rooms = await this.database.manager.find(RoomEntity, {
      select: { sid: true },
      where: { scheduleDueAt: LessThanOrEqual(now), state: In(['created', 'live', 'finished']) },
      order: { scheduleDueAt: 'ASC', sid: 'ASC' },
      take,
    });
    return rooms.map(({ sid }) => sid);
  }

  /** When the schedule of a locked room next has something to do, and the end that was announced. */
  async findStep(tx: Transaction, sid: string): Promise<Pick<RoomEntity, 'scheduleDueAt' | 'endNoticed'>> {
    return tx.manager.findOneOrFail(RoomEntity, { select: { sid: true, scheduleDueAt: true, endNoticed: true }, where: { sid } });
  }

  /** Rooms that no participant has joined and whose tokens had expired by `expiredBefore`. */
  async unused(expiredBefore: Date, take: number): Promise<string[]> {
    const rooms = await this.database.manager.find(RoomEntity, {
      select: { sid: true },
      where: { state: 'created', media: 'open', tokensExpireAt: LessThanOrEqual(expiredBefore) },
      order: { tokensExpireAt: 'ASC', sid: 'ASC' },
      take,
    });
    return rooms.map(({ sid }) => sid);
  }
}
