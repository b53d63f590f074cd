import { Injectable } from '@nestjs/common';
import type { EventData, roomCreated } from '@classroom/contracts';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

const created = sql(
  'rooms.created',
  `INSERT INTO rooms (sid, organization_id, room_id, auto_record) VALUES ($1, $2, $3, true)
   ON CONFLICT (sid) DO UPDATE SET organization_id = $2, room_id = $3, auto_record = true,
          auto_wanted_at = CASE WHEN rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN rooms.publishing_at END`,
);

const publishing = sql(
  'rooms.publishing',
  `INSERT INTO rooms (sid, publishing_at) VALUES ($1, $2)
   ON CONFLICT (sid) DO UPDATE SET publishing_at = $2,
          auto_wanted_at = CASE WHEN rooms.auto_record AND rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN $2 END
     WHERE rooms.publishing_at IS NULL`,
);

/**
 * `auto_wanted_at` is set only after `created` has written the ids. Planned at each call: for an unknown limit Postgres
 * reads the whole table.
 */
const claimWanted = sql.planned(
  'rooms.claimWanted',
  `UPDATE rooms SET auto_wanted_at = $2
    WHERE sid IN (SELECT sid FROM rooms WHERE auto_wanted_at <= $1 LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING sid, organization_id AS "organizationId!", room_id AS "roomId!"`,
);

const ended = sql(
  'rooms.ended',
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

/** What is kept of rooms: whose they are, whether they record by themselves, and when they ended. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly database: Database) {}

  async created({ sid, organizationId, roomId, autoRecord }: EventData<typeof roomCreated>): Promise<void> {
    // Most rooms don't record by themselves: of these nothing needs to be known.
    if (!autoRecord) return;
    await this.database.run(created, sid, organizationId, roomId);
  }

  /** A participant publishes in a room whose creation may not be known yet. */
  async publishing(sid: string, at: Date): Promise<void> {
    await this.database.run(publishing, sid, at);
  }

  /** Rooms that want to be recorded, each for one process: it is due again at `next`. */
  claimWanted(now: Date, next: Date, limit: number): Promise<WantedRoom[]> {
    return this.database.run(claimWanted, now, next, limit);
  }

  /** Its recording began: the automatic one is not wanted any more. */
  async recorded(sid: string, autoRecordedAt: Date): Promise<void> {
    await this.database.manager.update(RoomEntity, { sid }, { autoRecordedAt, autoWantedAt: null });
  }

  async ended(tx: Transaction, { sid, organizationId, roomId, endedAt }: EndedRoom): Promise<void> {
    await tx.run(ended, sid, organizationId, roomId, endedAt);
  }

  /** When the class ended, as far as it is known; null while it is running. */
  async endedAt(sid: string): Promise<Date | null> {
    const room = await this.database.manager.findOneBy(RoomEntity, { sid });
    return room?.endedAt ?? null;
  }
}
