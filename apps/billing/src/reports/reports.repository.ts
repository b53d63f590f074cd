import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';

/** Which sessions: one participant's, by the UTC day of their join, in one room or all. */
export interface SessionFilter {
  organizationId: string;
  uid: string;
  /** First instant, and the first one after. */
  from: Date;
  to: Date;
  sid: string | null;
  /** Where an active session's duration ends for now. */
  now: Date;
}

export interface Totals {
  sessions: number;
  rooms: number;
  seconds: number;
}

export interface SessionRecord {
  sid: string;
  connectionSid: string;
  joinedAt: Date;
  leftAt: Date | null;
  seconds: number;
  ip: string | null;
}

export interface RoomGroup {
  sid: string;
  roomId: string;
  title: string;
  sessions: number;
  seconds: number;
}

const WHERE = `s.organization_id = $1 AND s.uid = $2 AND s.joined_at >= $3 AND s.joined_at < $4 AND ($5::text IS NULL OR s.sid = $5)`;
const SECONDS = `greatest(0, extract(epoch FROM coalesce(s.left_at, $6) - s.joined_at))`;
const RECORD = `s.sid, s.connection_sid AS "connectionSid", s.joined_at AS "joinedAt", s.left_at AS "leftAt", floor(${SECONDS})::int AS seconds, s.ip`;

const parametersOf = ({ organizationId, uid, from, to, sid, now }: SessionFilter) => [organizationId, uid, from, to, sid, now];

/** Reads of sessions for reports; each is bounded by one participant's or one room's sessions, by index. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  async identity(organizationId: string, uid: string): Promise<{ name: string; role: string } | undefined> {
    const [row] = await this.database.query<{ name: string; role: string }>(
      `SELECT name, role FROM sessions WHERE organization_id = $1 AND uid = $2 ORDER BY joined_at DESC, connection_sid DESC LIMIT 1`,
      [organizationId, uid],
    );
    return row;
  }

  async room(organizationId: string, roomId: string): Promise<{ sid: string; title: string } | undefined> {
    const [row] = await this.database.query<{ sid: string; title: string }>(
      'SELECT sid, title FROM room_meters WHERE organization_id = $1 AND room_id = $2',
      [organizationId, roomId],
    );
    return row;
  }

  async totals(filter: SessionFilter): Promise<Totals> {
    const [row] = await this.database.query<Totals & Record<string, unknown>>(
      // By room first, in memory: count(DISTINCT) sorts every session, on disk where they are many.
      `SELECT coalesce(sum(sessions), 0)::int AS sessions, count(*)::int AS rooms, coalesce(sum(seconds), 0)::float8 AS seconds
         FROM (SELECT count(*) AS sessions, sum(floor(${SECONDS})) AS seconds FROM sessions s WHERE ${WHERE} GROUP BY s.sid) rooms`,
      parametersOf(filter),
    );
    return row ?? { sessions: 0, rooms: 0, seconds: 0 };
  }

  /** Rooms by their latest session, newest first. */
  groups(filter: SessionFilter, limit: number, offset: number): Promise<RoomGroup[]> {
    return this.database.query<RoomGroup & Record<string, unknown>>(
      `SELECT g.sid, m.room_id AS "roomId", m.title, g.sessions, g.seconds
         FROM (SELECT s.sid, count(*)::int AS sessions, sum(floor(${SECONDS}))::float8 AS seconds, max(s.joined_at) AS latest
                 FROM sessions s WHERE ${WHERE} GROUP BY s.sid ORDER BY latest DESC, s.sid LIMIT $7 OFFSET $8) g
         JOIN room_meters m USING (sid) ORDER BY g.latest DESC, g.sid`,
      [...parametersOf(filter), limit, offset],
    );
  }

  /** Of each room the newest sessions, up to `each`. */
  newestOf(filter: SessionFilter, sids: string[], each: number): Promise<SessionRecord[]> {
    return this.database.query<SessionRecord & Record<string, unknown>>(
      `SELECT r.* FROM unnest($7::text[]) AS wanted(sid)
         CROSS JOIN LATERAL (SELECT ${RECORD} FROM sessions s WHERE ${WHERE} AND s.sid = wanted.sid
                              ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT $8) r`,
      [...parametersOf(filter), sids, each],
    );
  }

  page(filter: SessionFilter, limit: number, offset: number): Promise<SessionRecord[]> {
    return this.database.query<SessionRecord & Record<string, unknown>>(
      `SELECT ${RECORD} FROM sessions s WHERE ${WHERE} ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT $7 OFFSET $8`,
      [...parametersOf(filter), limit, offset],
    );
  }
}
