import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { In, LessThanOrEqual } from 'typeorm';
import type { MediaRoom } from '../livekit/livekit-rooms.js';
import { LeaseEntity } from '../schema/lease.entity.js';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

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

const WANTED = `media = 'open' AND state IN ('created', 'live')`;

const wanted = sql.planned('media-rooms.wanted', `SELECT sid, settings FROM rooms WHERE ${WANTED}`);

const missing = sql.planned('media-rooms.missing', `SELECT sid, settings FROM rooms WHERE ${WANTED} AND NOT (sid = ANY($1))`);

const unwanted = sql.planned(
  'media-rooms.unwanted',
  // Not one condition with OR: with that, Postgres reads every room that ever existed.
  `SELECT sid AS "sid!", settings AS "settings!" FROM rooms WHERE media = 'closing'
    UNION ALL SELECT sid, settings FROM rooms WHERE media = 'closed' AND sid = ANY($1) LIMIT 500`,
);

/** Which rooms LiveKit should have, and which it should not. */
@Injectable()
export class MediaRoomsRepository {
  constructor(private readonly database: Database) {}

  wanted(): Promise<MediaRoom[]> {
    return this.database.run(wanted);
  }

  /** Rooms that LiveKit should have and that are not in `listed`. */
  missing(listed: string[]): Promise<MediaRoom[]> {
    return this.database.run(missing, listed);
  }

  async isWanted(sid: string): Promise<boolean> {
    return this.database.manager.existsBy(RoomEntity, { sid, media: 'open' });
  }

  /** Rooms that are to be closed, and closed rooms that LiveKit still has because their creation was late. */
  unwanted(listed: string[]): Promise<MediaRoom[]> {
    // Columns of a union have no types of their own.
    return this.database.run(unwanted, listed) as Promise<MediaRoom[]>;
  }
}

const take = sql(
  'leases.take',
  `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $4)
   ON CONFLICT (name) DO UPDATE SET holder = $2, expires_at = $4
     WHERE leases.holder = $2 OR leases.expires_at < $3
   RETURNING 1`,
);

@Injectable()
export class LeasesRepository {
  constructor(private readonly database: Database) {}

  /** @returns whether `holder` has the lease until `expiresAt` */
  async take({ name, holder, expiresAt }: LeaseEntity, now: Date): Promise<boolean> {
    return (await this.database.run(take, name, holder, now, expiresAt)).length === 1;
  }

  async release(name: string, holder: string): Promise<void> {
    await this.database.manager.delete(LeaseEntity, { name, holder });
  }
}
