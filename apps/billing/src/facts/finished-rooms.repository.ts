import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { FinishedRoomEntity } from '../schema/finished-room.entity.js';
import { sql } from '../schema/sql.js';

const advance = sql(
  'finished-rooms.advance',
  `INSERT INTO finished_rooms (through) VALUES ($1)
   ON CONFLICT (is_only) DO UPDATE SET through = greatest(finished_rooms.through, excluded.through)`,
);

const filterUnfinished = sql(
  'finished-rooms.filterUnfinished',
  `SELECT r.sid AS "sid!", m.sid IS NOT NULL AS "isMetered!" FROM unnest($1::text[]) AS r(sid) LEFT JOIN room_meters m ON m.sid = r.sid
    WHERE m.finished_at IS NULL`,
);

/** Stores up to which time billing knows the finished rooms of the room service. */
@Injectable()
export class FinishedRoomsRepository {
  constructor(private readonly database: Database) {}

  async findPosition(): Promise<Date | undefined> {
    const row = await this.database.manager.findOneBy(FinishedRoomEntity, { isOnly: true });
    return row?.through;
  }

  /** Never moves back. */
  async advance(through: string): Promise<void> {
    await this.database.run(advance, through);
  }

  /** Those of the rooms that are not known to be over, and whether each has a meter. */
  async filterUnfinished(sids: readonly string[]): Promise<ReadonlyMap<string, { isMetered: boolean }>> {
    return new Map((await this.database.run(filterUnfinished, sids)).map(({ sid, isMetered }) => [sid, { isMetered }]));
  }
}
