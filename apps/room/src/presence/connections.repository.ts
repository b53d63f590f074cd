import { Injectable } from '@nestjs/common';
import { arraysOf, columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { ConnectionEntity } from '../schema/connection.entity.js';
import { sql } from '../schema/sql.js';
import type { Interval } from './interval.js';

/** Times as seconds since 1970: float8 holds whole numbers up to 2^53. */
const INTERVAL = `${columnsOf(ConnectionEntity, { except: ['sid', 'joinedAt', 'leftAt', 'missingSince', 'version'] })},
  extract(epoch FROM joined_at)::float8 AS "joinedAt!", extract(epoch FROM left_at)::float8 AS "leftAt",
  extract(epoch FROM missing_since)::float8 AS "missingSince"`;

const findRelated = sql(
  'connections.findRelated',
  `SELECT ${INTERVAL} FROM connections WHERE sid = $1 AND (connection_sid = $2 OR uid = $3)`,
);

const findOpen = sql('connections.findOpen', `SELECT ${INTERVAL} FROM connections WHERE sid = $1 AND left_at IS NULL`);

const findRelatedToList = sql(
  'connections.findRelatedToList',
  `SELECT ${INTERVAL} FROM connections WHERE sid = $1 AND (left_at IS NULL OR connection_sid = ANY($2) OR uid = ANY($3))`,
);

const findUnseen = sql(
  'connections.findUnseen',
  `SELECT connection_sid AS "connectionSid", coalesce(missing_since, joined_at) AS "seenAt!" FROM connections
    WHERE sid = $1 AND left_at IS NULL AND is_counted AND (missing_since IS NOT NULL OR joined_at >= to_timestamp($2 - 1))`,
);

const page = sql.planned(
  'connections.page',
  `SELECT ${INTERVAL}, version FROM connections
    WHERE sid = $1 AND is_counted AND connection_sid > $2 ORDER BY connection_sid LIMIT $3`,
);

const save = sql(
  'connections.save',
  `INSERT INTO connections (sid, connection_sid, uid, name, role, ip, joined_at, left_at, opened_by, closed_by,
                            is_final, is_counted, missing_since, version)
   SELECT $1, connection_sid, uid, name, role, ip, to_timestamp(joined_at), to_timestamp(left_at), opened_by, closed_by,
          is_final, is_counted, to_timestamp(missing_since), version
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::int8[], $9::text[],
                 $10::text[], $11::bool[], $12::bool[], $13::int8[], $14::int8[])
       AS t(connection_sid, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, is_final, is_counted,
            missing_since, version)
   ON CONFLICT (connection_sid) DO UPDATE
      SET role = excluded.role, left_at = excluded.left_at, closed_by = excluded.closed_by, is_final = excluded.is_final,
          is_counted = excluded.is_counted, missing_since = excluded.missing_since, version = excluded.version`,
);

const summarizePresence = sql(
  'connections.summarizePresence',
  `SELECT count(*) AS "count!", coalesce(bool_or(role = 'TEACHER'), false) AS "hasTeacher!",
          (SELECT extract(epoch FROM max(left_at))::float8 FROM connections WHERE sid = $1 AND is_counted) AS "lastLeftAt"
     FROM connections WHERE sid = $1 AND left_at IS NULL AND is_counted`,
);

const totals = sql(
  'connections.totals',
  `SELECT count(*) AS "connections!", coalesce(sum(extract(epoch FROM left_at - joined_at)), 0)::float8 AS "totalSeconds!",
          coalesce(sum(version), 0)::float8 AS "versionSum!"
     FROM connections WHERE sid = $1 AND is_counted`,
);

export type Versioned = Interval & { version: number };

@Injectable()
export class ConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** The intervals that folding evidence of one connection needs: its own and all others of its uid. */
  findRelated(tx: Transaction, sid: string, connectionSid: string, uid: string): Promise<Interval[]> {
    return tx.run(findRelated, sid, connectionSid, uid);
  }

  findOpen(tx: Transaction, sid: string): Promise<Interval[]> {
    return tx.run(findOpen, sid);
  }

  /** The intervals that folding a list needs: the open ones, those in the list, and all others of the uids in the list. */
  findRelatedToList(tx: Transaction, sid: string, connectionSids: string[], uids: string[]): Promise<Interval[]> {
    return tx.run(findRelatedToList, sid, connectionSids, uids);
  }

  /** Open intervals that the list taken at `takenAt` (seconds of LiveKit's clock) did not contain, and when each was last seen. */
  async findUnseen(tx: Transaction, sid: string, takenAt: number): Promise<{ connectionSid: string; seenAt: string }[]> {
    const rows = await tx.run(findUnseen, sid, takenAt);
    return rows.map(({ connectionSid, seenAt }) => ({ connectionSid, seenAt: seenAt.toISOString() }));
  }

  /** Counted intervals in the order of their connection sids, after `after`. */
  page(sid: string, after: string | undefined, limit: number): Promise<Versioned[]> {
    return this.database.run(page, sid, after ?? '', limit);
  }

  /** Writes the changed intervals, each with its own version. */
  async save(tx: Transaction, sid: string, intervals: readonly Versioned[]): Promise<void> {
    const identity = arraysOf(intervals, 'connectionSid', 'uid', 'name', 'role', 'ip', 'joinedAt', 'leftAt', 'openedBy', 'closedBy');
    await tx.run(save, sid, ...identity, ...arraysOf(intervals, 'isFinal', 'isCounted', 'missingSince', 'version'));
  }

  /** Computed from the rows after each change, never incremented or decremented: the open intervals and, by an index, the latest end. */
  async summarizePresence(tx: Transaction, sid: string): Promise<RowOf<typeof summarizePresence>> {
    const row = await tx.first(summarizePresence, sid);
    return row ?? { count: 0, hasTeacher: false, lastLeftAt: null };
  }

  async totals(tx: Transaction, sid: string): Promise<RowOf<typeof totals>> {
    const row = await tx.first(totals, sid);
    return row ?? { connections: 0, totalSeconds: 0, versionSum: 0 };
  }
}
