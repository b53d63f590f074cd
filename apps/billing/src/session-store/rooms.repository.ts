import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { RoomMeterEntity } from '../schema/room-meter.entity.js';
import { sql } from '../schema/sql.js';

const findRooms = sql('rooms.findRooms', `SELECT sid, room_id AS "roomId", title FROM room_meters WHERE sid = ANY($1::text[])`);

/** The ids and titles of rooms, which only Postgres has: a title may change. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly database: Database) {}

  findRoom(organizationId: string, roomId: string): Promise<Pick<RoomMeterEntity, 'sid' | 'title'> | null> {
    return this.database.manager.findOne(RoomMeterEntity, { select: { sid: true, title: true }, where: { organizationId, roomId } });
  }

  findRooms(sids: readonly string[]): Promise<RowOf<typeof findRooms>[]> {
    return this.database.run(findRooms, sids);
  }
}
