import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { RoomMeterEntity } from '../schema/room-meter.entity.js';
import { sql } from '../schema/sql.js';

const findRooms = sql('rooms.findRooms', `SELECT sid, room_id AS "roomId", title FROM room_meters WHERE sid = ANY($1::text[])`);

const findEvidence = sql.planned(
  'rooms.findEvidence',
  `SELECT connection_sid AS "connectionSid", opened_by AS "openedBy", closed_by AS "closedBy" FROM sessions_by_month
    WHERE organization_id = $1 AND connection_sid = ANY($2::text[]) AND month BETWEEN session_month($3) AND session_month($4)`,
);

/** What only Postgres has: ids and titles of rooms, because a title may change, and the evidence of sessions. */
@Injectable()
export class RoomsRepository {
  constructor(private readonly database: Database) {}

  findRoom(organizationId: string, roomId: string): Promise<Pick<RoomMeterEntity, 'sid' | 'title'> | null> {
    return this.database.manager.findOne(RoomMeterEntity, { select: { sid: true, title: true }, where: { organizationId, roomId } });
  }

  /** Of sessions that began in the given time. */
  findEvidence(organizationId: string, connectionSids: readonly string[], from: Date, to: Date): Promise<RowOf<typeof findEvidence>[]> {
    return this.database.run(findEvidence, organizationId, connectionSids, from, to);
  }

  findRooms(sids: readonly string[]): Promise<RowOf<typeof findRooms>[]> {
    return this.database.run(findRooms, sids);
  }
}
