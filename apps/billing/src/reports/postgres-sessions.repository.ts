import { Injectable } from '@nestjs/common';
import { toPeriods } from '@classroom/contracts';
import { Database, type RowOf } from '@classroom/persistence';
import { MONTHS_OF_ROOM } from '../metering/sessions.repository.js';
import { SessionEntity } from '../schema/session.entity.js';
import { sql } from '../schema/sql.js';
import {
  ROWS_PER_CHUNK,
  SessionsStore,
  positionAfter,
  type Attendee,
  type RoomGroup,
  type RoomKey,
  type SessionFilter,
  type SessionRecord,
  type Position,
  type SessionChunk,
  type SessionColumns,
  type Totals,
} from './sessions-store.js';

/** Neither a sid nor an IP address contains it. */
const SEPARATOR = '|';

const WHERE = `s.organization_id = :organizationId AND s.uid = :uid AND s.joined_at >= :from AND s.joined_at < :to
      AND s.month BETWEEN session_month(:from) AND session_month(:to) AND (:sid::text IS NULL OR s.sid = :sid)`;
/** A double holds a session's microseconds exactly. `extract` gives a numeric, which takes a report over a million sessions half as long again. */
const SECONDS = `greatest(0, date_part('epoch', coalesce(s.left_at, :now) - s.joined_at))`;
const RECORD = `s.sid, s.connection_sid AS "connectionSid", s.joined_at AS "joinedAt", s.left_at AS "leftAt", floor(${SECONDS})::int AS "seconds!", s.ip,
          s.opened_by AS "openedBy", s.closed_by AS "closedBy"`;

/** Groups by room first, in memory: count(DISTINCT) would sort every session, on disk if there are many. */
const totals = sql.planned(
  'postgres-sessions.totals',
  `SELECT coalesce(sum(sessions), 0)::int AS "sessions!", count(*) AS "rooms!", coalesce(sum(seconds), 0)::float8 AS "seconds!"
     FROM (SELECT count(*) AS sessions, sum(floor(${SECONDS})) AS seconds FROM sessions_by_month s WHERE ${WHERE} GROUP BY s.sid) rooms`,
);

const groups = sql.planned(
  'postgres-sessions.groups',
  `SELECT g.sid, m.room_id AS "roomId", m.title, g.sessions AS "sessions!", g.seconds AS "seconds!"
     FROM (SELECT s.sid, count(*) AS sessions, sum(floor(${SECONDS}))::float8 AS seconds, max(s.joined_at) AS latest
             FROM sessions_by_month s WHERE ${WHERE} GROUP BY s.sid ORDER BY latest DESC, s.sid LIMIT :limit OFFSET :offset) g
     JOIN room_meters m USING (sid) ORDER BY g.latest DESC, g.sid`,
);

const newestByRoom = sql.planned(
  'postgres-sessions.newestByRoom',
  `SELECT r.* FROM unnest(:sids::text[]) AS wanted(sid)
     CROSS JOIN LATERAL (SELECT ${RECORD} FROM sessions_by_month s WHERE ${WHERE} AND s.sid = wanted.sid
                          ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT :each) r`,
);

const page = sql.planned(
  'postgres-sessions.page',
  `SELECT ${RECORD} FROM sessions_by_month s WHERE ${WHERE} ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT :limit OFFSET :offset`,
);

/**
 * One row with a list for each column: the driver would take longer for 5,000 rows than their formatting. Times leave Postgres in its binary form, as
 * base64, because the driver reads only text: a JSON list of numbers takes twice as long, there and here. The index scan starts at the previous position only
 * because no other upper bound on `joined_at` is in the query. A plan for all positions would sort every session before it, of all months.
 */
const readChunk = sql.planned(
  'postgres-sessions.readChunk',
  `SELECT string_agg(sid, '${SEPARATOR}') AS sids, encode(array_send(array_agg(joined_at)), 'base64') AS "joinedAt",
          encode(array_send(array_agg(left_at)), 'base64') AS "leftAt", string_agg(coalesce(ip, ''), '${SEPARATOR}') AS ips,
          count(*)::int AS "count!", (extract(epoch FROM (array_agg(joined_at))[count(*)]) * 1000000)::int8 AS "lastJoinedAt",
          (array_agg(connection_sid))[count(*)] AS "lastConnectionSid"
     FROM (SELECT s.sid, s.connection_sid, s.joined_at, s.left_at, s.ip
             FROM sessions_by_month s
            WHERE s.organization_id = $1 AND s.uid = $2 AND s.joined_at >= $3
              AND s.month BETWEEN session_month($3) AND session_month(to_timestamp($4::int8 / 1000000.0))
              AND (s.joined_at, s.connection_sid) < (to_timestamp($4::int8 / 1000000.0), $6) AND ($5::text IS NULL OR s.sid = $5)
            ORDER BY s.joined_at DESC, s.connection_sid DESC LIMIT ${ROWS_PER_CHUNK}) chunk`,
);

const listAttendees = sql.planned(
  'postgres-sessions.listAttendees',
  `SELECT uid, (array_agg(name ORDER BY joined_at DESC))[1] AS "name!", (array_agg(role ORDER BY joined_at DESC))[1] AS "role!",
          min(joined_at) AS "firstJoinedAt!", CASE WHEN bool_or(left_at IS NULL) THEN NULL ELSE max(left_at) END AS "lastLeftAt",
          floor(sum(greatest(0, extract(epoch FROM coalesce(left_at, $2) - joined_at))))::int AS "seconds!", count(*) AS "sessions!",
          array_agg(floor(extract(epoch FROM joined_at))::float8 ORDER BY joined_at DESC, connection_sid) AS "joins!",
          array_agg(floor(extract(epoch FROM coalesce(left_at, $2)))::float8 ORDER BY joined_at DESC, connection_sid) AS "leaves!"
     FROM sessions_by_month WHERE sid = $1 AND ${MONTHS_OF_ROOM} AND uid > $3 GROUP BY uid ORDER BY uid LIMIT $4`,
);

/** The sessions that billing folds. Each query reads by index, and at most one participant's or one room's sessions. */
@Injectable()
export class PostgresSessionsRepository extends SessionsStore {
  constructor(private readonly database: Database) {
    super();
  }

  override findIdentity(organizationId: string, uid: string): Promise<Pick<SessionEntity, 'name' | 'role'> | null> {
    return this.database.manager.findOne(SessionEntity, {
      select: { connectionSid: true, name: true, role: true },
      where: { organizationId, uid },
      order: { joinedAt: 'DESC', connectionSid: 'DESC' },
    });
  }

  override async totals(filter: SessionFilter): Promise<Totals> {
    const row = await this.database.first(totals, filter);
    return row ?? { sessions: 0, rooms: 0, seconds: 0 };
  }

  override groups(filter: SessionFilter, limit: number, offset: number): Promise<RoomGroup[]> {
    return this.database.run(groups, { ...filter, limit, offset });
  }

  override newestByRoom(filter: SessionFilter, sids: string[], each: number): Promise<SessionRecord[]> {
    return this.database.run(newestByRoom, { ...filter, sids, each });
  }

  override page(filter: SessionFilter, limit: number, offset: number): Promise<SessionRecord[]> {
    return this.database.run(page, { ...filter, limit, offset });
  }

  override async readChunk({ organizationId, uid, from, sid }: SessionFilter, position: Position): Promise<SessionChunk> {
    const row = await this.database.first(readChunk, organizationId, uid, from, position.joinedAt, sid, position.connectionSid);
    const last = { joinedAt: row?.lastJoinedAt ?? 0, connectionSid: row?.lastConnectionSid ?? '' };
    return { next: positionAfter(row?.count ?? 0, last), decode: () => decodeColumns(row) };
  }

  override async listAttendees({ sid }: RoomKey, until: Date, after: string, limit: number | null): Promise<Attendee[]> {
    const rows = await this.database.run(listAttendees, sid, until, after, limit);
    return rows.map(({ joins, leaves, ...row }) => ({ ...row, stays: toPeriods(joins, leaves) }));
  }
}

/** An aggregate of no rows is NULL. */
function decodeColumns(row: RowOf<typeof readChunk> | undefined): SessionColumns {
  if (!row?.sids) return { sids: [], joinedAt: [], leftAt: [], ips: [] };
  return {
    sids: row.sids.split(SEPARATOR),
    joinedAt: decodeTimes(row.joinedAt).map((at) => at ?? 0),
    leftAt: decodeTimes(row.leftAt),
    ips: (row.ips ?? '').split(SEPARATOR).map((ip) => ip || null),
  };
}

/** Of an array of one dimension, in bytes: what precedes its first element, and the length that precedes each element. */
const ARRAY_HEADER = 20;
const LENGTH = 4;
const LENGTH_OF_NULL = -1;
const WORD = 4;
const HIGH_WORD = 2 ** 32;
const YEAR_2000 = Date.UTC(2000) * 1_000;

/**
 * Decodes what `encode(array_send(…), 'base64')` writes for an array of `timestamptz`: 64-bit microseconds since 2000.
 * @returns microseconds since 1970
 */
function decodeTimes(base64: string | null): (number | null)[] {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const times: (number | null)[] = [];
  for (let at = ARRAY_HEADER; at < bytes.length;) {
    const length = view.getInt32(at);
    at += LENGTH;
    const isNull = length === LENGTH_OF_NULL;
    times.push(isNull ? null : view.getInt32(at) * HIGH_WORD + view.getUint32(at + WORD) + YEAR_2000);
    if (!isNull) at += length;
  }
  return times;
}
