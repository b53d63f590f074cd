import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import type { MediaRoom } from '../livekit/livekit-rooms.js';
import { LeaseEntity } from '../schema/lease.entity.js';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

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
