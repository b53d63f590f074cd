import { Injectable } from '@nestjs/common';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

/** The latest choice counts, in whatever order the facts arrive. */
const saveAutoRecord = sql(
  'rooms.saveAutoRecord',
  `INSERT INTO rooms (sid, organization_id, room_id, auto_record, auto_record_set_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (sid) DO UPDATE SET organization_id = $2, room_id = $3, auto_record = $4, auto_record_set_at = $5,
          auto_wanted_at = CASE WHEN $4 AND rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN rooms.publishing_at END
     WHERE rooms.auto_record_set_at IS NULL OR rooms.auto_record_set_at < $5`,
);

const markPublishing = sql(
  'rooms.markPublishing',
  `INSERT INTO rooms (sid, publishing_at) VALUES ($1, $2)
   ON CONFLICT (sid) DO UPDATE SET publishing_at = $2,
          auto_wanted_at = CASE WHEN rooms.auto_record AND rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN $2 END
     WHERE rooms.publishing_at IS NULL`,
);

/**
 * `auto_wanted_at` is set only after `saveAutoRecord` has written the ids. Planned at each call: with an unknown limit Postgres reads
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

export interface OwnedRoom {
  sid: string;
  organizationId: string;
  roomId: string;
}

export interface EndedRoom extends OwnedRoom {
  endedAt: string;
}

/** What this service stores of rooms: their owner, whether they are recorded automatically, and when they ended. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly database: Database) {}

  /** Whether a room is recorded automatically, as chosen at `setAt`. */
  async saveAutoRecord({ sid, organizationId, roomId }: OwnedRoom, autoRecord: boolean, setAt: string): Promise<void> {
    await this.database.run(saveAutoRecord, sid, organizationId, roomId, autoRecord, setAt);
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
