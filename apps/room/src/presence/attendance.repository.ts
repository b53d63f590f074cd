import { Injectable } from '@nestjs/common';
import { MAX_PRESENT_NAMES } from '@classroom/contracts';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import { OF_ROOM } from './connections.repository.js';

const findOthers = sql(
  'attendance.findOthers',
  `SELECT name, count(*) OVER () AS "count!" FROM (
     SELECT DISTINCT ON (uid) uid, name, role, joined_at FROM connections_by_month
      WHERE ${OF_ROOM} AND uid <> $2 AND left_at IS NULL AND is_counted ORDER BY uid, joined_at DESC) p
    ORDER BY role <> 'TEACHER', joined_at LIMIT ${MAX_PRESENT_NAMES}`,
);

const findConnectionState = sql(
  'attendance.findConnectionState',
  `SELECT coalesce(bool_or(left_at IS NULL), false) AS "isConnected!", max(left_at) AS "lastLeftAt"
     FROM connections_by_month WHERE ${OF_ROOM} AND uid = $2 AND is_counted`,
);

const isConnected = sql(
  'attendance.isConnected',
  `SELECT 1 FROM connections_by_month WHERE ${OF_ROOM} AND uid = $2 AND left_at IS NULL AND is_counted LIMIT 1`,
);

const hasJoined = sql('attendance.hasJoined', `SELECT 1 FROM connections_by_month WHERE ${OF_ROOM} AND uid = $2 AND is_counted LIMIT 1`);
const listConnected = sql(
  'attendance.listConnected',
  `SELECT DISTINCT uid FROM connections_by_month WHERE ${OF_ROOM} AND left_at IS NULL AND is_counted`,
);

const summarize = sql.planned(
  'attendance.summarize',
  `SELECT coalesce(sum(greatest(0, extract(epoch FROM coalesce(left_at, to_timestamp($2)) - joined_at))), 0)::float8 AS "seconds!",
          count(DISTINCT uid) AS "people!"
     FROM connections_by_month WHERE ${OF_ROOM} AND is_counted`,
);

/** In whole seconds since 1970. A person's joins and leaves are in the same order. */
const listStays = sql(
  'attendance.listStays',
  `SELECT uid, (array_agg(role ORDER BY joined_at DESC))[1] AS "role!",
          array_agg(extract(epoch FROM joined_at)::float8 ORDER BY joined_at, connection_sid) AS "joins!",
          array_agg(extract(epoch FROM left_at)::float8 ORDER BY joined_at, connection_sid) AS "leaves!"
     FROM connections_by_month WHERE ${OF_ROOM} AND is_counted AND left_at IS NOT NULL GROUP BY uid ORDER BY uid`,
);

const findLastLeave = sql(
  'attendance.findLastLeave',
  `SELECT extract(epoch FROM max(left_at))::float8 AS "lastLeftAt" FROM connections_by_month WHERE ${OF_ROOM} AND is_counted`,
);

/** Reads from the connections who is or was in a room. */
@Injectable()
export class AttendanceRepository {
  constructor(private readonly database: Database) {}

  /** The connected participants other than `uid`: how many, and the names of some, teachers first. */
  async findOthers(tx: Transaction, sid: string, uid: string): Promise<{ count: number; names: string[] }> {
    const rows = await tx.run(findOthers, sid, uid);
    return { count: rows[0]?.count ?? 0, names: rows.map(({ name }) => name) };
  }

  /** Whether the participant is connected, and when it last left (null if it never did). */
  async findConnectionState(tx: Transaction, sid: string, uid: string): Promise<RowOf<typeof findConnectionState>> {
    const row = await tx.first(findConnectionState, sid, uid);
    return row ?? { isConnected: false, lastLeftAt: null };
  }

  /** @param queries the caller's transaction, if it has one, so that the call does not wait for a second database connection */
  async isConnected(sid: string, uid: string, queries: Pick<Transaction, 'run'> = this.database): Promise<boolean> {
    return (await queries.run(isConnected, sid, uid)).length > 0;
  }

  /** Whether the participant was ever connected. @param queries as for `isConnected` */
  async hasJoined(sid: string, uid: string, queries: Pick<Transaction, 'run'> = this.database): Promise<boolean> {
    return (await queries.run(hasJoined, sid, uid)).length > 0;
  }

  /** The uids of everyone who is connected. */
  async listConnected(tx: Transaction, sid: string): Promise<string[]> {
    return (await tx.run(listConnected, sid)).map(({ uid }) => uid);
  }

  /** The closed connections of each person, by uid, with the latest role. */
  listStays(tx: Transaction, sid: string): Promise<RowOf<typeof listStays>[]> {
    return tx.run(listStays, sid);
  }

  /** Seconds since 1970; null if no participant has left. */
  async findLastLeave(sid: string): Promise<number | null> {
    return (await this.database.first(findLastLeave, sid))?.lastLeftAt ?? null;
  }

  /** Total seconds of all connections, open ones up to `now` (seconds of LiveKit's clock), and the number of people. */
  async summarize(sid: string, now: number): Promise<RowOf<typeof summarize>> {
    const row = await this.database.first(summarize, sid, now);
    return row ?? { seconds: 0, people: 0 };
  }
}
