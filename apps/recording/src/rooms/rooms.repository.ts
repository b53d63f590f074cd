import { Injectable } from '@nestjs/common';
import type { EventData, roomCreated } from '@classroom/contracts';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

const saveCreated = sql(
  'rooms.saveCreated',
  `INSERT INTO rooms (sid, organization_id, room_id, auto_record) VALUES ($1, $2, $3, true)
   ON CONFLICT (sid) DO UPDATE SET organization_id = $2, room_id = $3, auto_record = true,
          auto_wanted_at = CASE WHEN rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN rooms.publishing_at END`,
);

const markPublishing = sql(
  'rooms.markPublishing',
  `INSERT INTO rooms (sid, publishing_at) VALUES ($1, $2)
   ON CONFLICT (sid) DO UPDATE SET publishing_at = $2,
          auto_wanted_at = CASE WHEN rooms.auto_record AND rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN $2 END
     WHERE rooms.publishing_at IS NULL`,
);

/**
 * `auto_wanted_at` is set only after `saveCreated` has written the ids. Planned at each call: with an unknown limit Postgres reads
 * the whole table.
 */
const claimWanted = sql.planned(
  'rooms.claimWanted',
  `UPDATE rooms SET auto_wanted_at = $2
    WHERE sid IN (SELECT sid FROM rooms WHERE auto_wanted_at <= $1 LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING sid, organization_id AS "organizationId!", room_id AS "roomId!"`,
);

const markEnded = sql(
  'rooms.markEnded',
  `INSERT INTO rooms (sid, organization_id, room_id, ended_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (sid) DO UPDATE SET ended_at = $4, auto_wanted_at = NULL`,
);

export type WantedRoom = RowOf<typeof claimWanted>;

export interface EndedRoom {
  sid: string;
  organizationId: string;
  roomId: string;
  endedAt: string;
}

/** What this service stores of rooms: their owner, whether they are recorded automatically, and when they ended. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly database: Database) {}

  async saveCreated({ sid, organizationId, roomId, autoRecord }: EventData<typeof roomCreated>): Promise<void> {
    // Most rooms are not recorded automatically: nothing about these is stored.
    if (!autoRecord) return;
    await this.database.run(saveCreated, sid, organizationId, roomId);
  }

  /** A participant published in a room. This service may not know the room's creation yet. */
  async markPublishing(sid: string, at: Date): Promise<void> {
    await this.database.run(markPublishing, sid, at);
  }

  /** Claims rooms whose automatic recording is due, each for one process: it is due again at `next`. */
  claimWanted(now: Date, next: Date, limit: number): Promise<WantedRoom[]> {
    return this.database.run(claimWanted, now, next, limit);
  }

  /** The room's recording has begun: the automatic start is no longer due. */
  async markRecorded(sid: string, autoRecordedAt: Date): Promise<void> {
    await this.database.manager.update(RoomEntity, { sid }, { autoRecordedAt, autoWantedAt: null });
  }

  async markEnded(tx: Transaction, { sid, organizationId, roomId, endedAt }: EndedRoom): Promise<void> {
    await tx.run(markEnded, sid, organizationId, roomId, endedAt);
  }

  /** When the class ended; null while it is running or its end is not known. */
  async findEndedAt(sid: string, { manager }: Database | Transaction = this.database): Promise<Date | null> {
    const room = await manager.findOneBy(RoomEntity, { sid });
    return room?.endedAt ?? null;
  }
}
