import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { RoomMeterEntity } from '../schema/room-meter.entity.js';
import { SessionEntity } from '../schema/session.entity.js';
import { sql } from '../schema/sql.js';

/** Selects sessions: one participant's, by the UTC day of their join, in one room or in all. */
export interface SessionFilter {
  organizationId: string;
  uid: string;
  /** `from` is inclusive and `to` exclusive. */
  from: Date;
  to: Date;
  sid: string | null;
  /** The end of an active session for computing its duration. */
  now: Date;
}

const WHERE = `s.organization_id = $1 AND s.uid = $2 AND s.joined_at >= $3 AND s.joined_at < $4 AND ($5::text IS NULL OR s.sid = $5)`;
const SECONDS = `greatest(0, extract(epoch FROM coalesce(s.left_at, $6) - s.joined_at))`;
const RECORD = `s.sid, s.connection_sid AS "connectionSid", s.joined_at AS "joinedAt", s.left_at AS "leftAt", floor(${SECONDS})::int AS "seconds!", s.ip`;

const parametersOf = ({ organizationId, uid, from, to, sid, now }: SessionFilter) => [organizationId, uid, from, to, sid, now] as const;

/** Groups by room first, in memory: count(DISTINCT) would sort every session, on disk if there are many. */
const totals = sql.planned(
  'reports.totals',
  `SELECT coalesce(sum(sessions), 0)::int AS "sessions!", count(*) AS "rooms!", coalesce(sum(seconds), 0)::float8 AS "seconds!"
     FROM (SELECT count(*) AS sessions, sum(floor(${SECONDS})) AS seconds FROM sessions s WHERE ${WHERE} GROUP BY s.sid) rooms`,
);

const groups = sql.planned(
  'reports.groups',
  `SELECT g.sid, m.room_id AS "roomId", m.title, g.sessions AS "sessions!", g.seconds AS "seconds!"
     FROM (SELECT s.sid, count(*) AS sessions, sum(floor(${SECONDS}))::float8 AS seconds, max(s.joined_at) AS latest
             FROM sessions s WHERE ${WHERE} GROUP BY s.sid ORDER BY latest DESC, s.sid LIMIT $7 OFFSET $8) g
     JOIN room_meters m USING (sid) ORDER BY g.latest DESC, g.sid`,
);

const newestByRoom = sql.planned(
  'reports.newestByRoom',
  `SELECT r.* FROM unnest($7::text[]) AS wanted(sid)
     CROSS JOIN LATERAL (SELECT ${RECORD} FROM sessions s WHERE ${WHERE} AND s.sid = wanted.sid
                          ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT $8) r`,
);

const page = sql.planned(
  'reports.page',
  `SELECT ${RECORD} FROM sessions s WHERE ${WHERE} ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT $7 OFFSET $8`,
);

export type Totals = RowOf<typeof totals>;
export type RoomGroup = RowOf<typeof groups>;
export type SessionRecord = RowOf<typeof page>;

/** Reads sessions for reports. Each query reads by index, and at most one participant's or one room's sessions. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  findIdentity(organizationId: string, uid: string): Promise<Pick<SessionEntity, 'name' | 'role'> | null> {
    return this.database.manager.findOne(SessionEntity, {
      select: { connectionSid: true, name: true, role: true },
      where: { organizationId, uid },
      order: { joinedAt: 'DESC', connectionSid: 'DESC' },
    });
  }

  findRoom(organizationId: string, roomId: string): Promise<Pick<RoomMeterEntity, 'sid' | 'title'> | null> {
    return this.database.manager.findOne(RoomMeterEntity, { select: { sid: true, title: true }, where: { organizationId, roomId } });
  }

  async totals(filter: SessionFilter): Promise<Totals> {
    const row = await this.database.first(totals, ...parametersOf(filter));
    return row ?? { sessions: 0, rooms: 0, seconds: 0 };
  }

  /** Rooms by their latest session, newest first. */
  groups(filter: SessionFilter, limit: number, offset: number): Promise<RoomGroup[]> {
    return this.database.run(groups, ...parametersOf(filter), limit, offset);
  }

  /** The newest sessions of each room, at most `each` per room. */
  newestByRoom(filter: SessionFilter, sids: string[], each: number): Promise<SessionRecord[]> {
    return this.database.run(newestByRoom, ...parametersOf(filter), sids, each);
  }

  page(filter: SessionFilter, limit: number, offset: number): Promise<SessionRecord[]> {
    return this.database.run(page, ...parametersOf(filter), limit, offset);
  }
}
