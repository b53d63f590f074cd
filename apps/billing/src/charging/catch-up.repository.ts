import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { IsNull, LessThan, MoreThan } from 'typeorm';
import { FinishedRoomEntity } from '../schema/finished-room.entity.js';
import { RoomMeterEntity } from '../schema/room-meter.entity.js';
import { sql } from '../schema/sql.js';

/** A room that was never verified is the least recent. */
const VERIFIED_AT = "coalesce(verified_at, timestamptz 'epoch')";

const findStale = sql.planned(
  'catch-up.findStale',
  `SELECT sid, organization_id AS "organizationId", room_id AS "roomId", ${VERIFIED_AT} AS "verifiedAt!" FROM room_meters
    WHERE finished_at IS NULL AND ${VERIFIED_AT} < $1 AND ($2::timestamptz IS NULL OR (${VERIFIED_AT}, sid) < ($2, $3::text))
    ORDER BY ${VERIFIED_AT} DESC, sid DESC LIMIT $4`,
);

/** Finds rooms with missing facts. */
@Injectable()
export class CatchUpRepository {
  constructor(private readonly database: Database) {}

  /** Rooms that finished before `before` and are not settled yet, in the order of their sids, after `after`. */
  async findLagging(before: Date, after: string, limit: number): Promise<string[]> {
    const where = { finishedAt: LessThan(before), settledAt: IsNull(), sid: MoreThan(after) };
    const rows = await this.database.manager.find(RoomMeterEntity, { select: { sid: true }, where, order: { sid: 'ASC' }, take: limit });
    return rows.map(({ sid }) => sid);
  }

  /** Rooms last verified before `before` and not known to be over, the latest first, from `after` on. */
  findStale(before: Date, after: { verifiedAt: Date; sid: string } | undefined, limit: number): Promise<RowOf<typeof findStale>[]> {
    return this.database.run(findStale, before, after?.verifiedAt ?? null, after?.sid ?? null, limit);
  }
}

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
