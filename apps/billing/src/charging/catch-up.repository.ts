import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { IsNull, LessThan, MoreThan } from 'typeorm';
import { CLOSE_DELAY_MS, CLOSES_AT } from '../ledger/accounts.repository.js';
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

const BATCH = 10_000;

/** `accountId` is null if the organization's plan is not known yet. */
const findDue = sql.planned(
  'due-accounts.findDue',
  `SELECT d.organization_id AS "organizationId!", a.account_id AS "accountId"
     FROM (SELECT DISTINCT organization_id FROM room_meters WHERE due_at <= $1
           UNION SELECT organization_id FROM accounts WHERE billing_type = 'POSTPAID' AND cycle_end <= $2 AND ${CLOSES_AT} <= $1) d
     LEFT JOIN accounts a USING (organization_id) LIMIT ${BATCH}`,
);

const findEarliestDue = sql.planned(
  'due-accounts.findEarliestDue',
  'SELECT min(due_at) AS "dueAt" FROM room_meters WHERE due_at IS NOT NULL',
);

export type DueAccount = RowOf<typeof findDue>;

/** Finds accounts with due meters or cycles. */
@Injectable()
export class DueAccountsRepository {
  constructor(private readonly database: Database) {}

  findDue(now: Date): Promise<DueAccount[]> {
    return this.database.run(findDue, now, new Date(now.getTime() - CLOSE_DELAY_MS));
  }

  /** When the meter became due that has been due for longest. */
  async findEarliestDue(): Promise<Date | undefined> {
    const row = await this.database.first(findEarliestDue);
    return row?.dueAt ?? undefined;
  }
}
