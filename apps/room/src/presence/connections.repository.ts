import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import type { Evidence, Interval } from './interval.js';

/** pg gives int8 as text; float8 holds whole numbers up to 2^53, int4 seconds up to 2038. */
const COLUMNS = `
  connection_sid AS "connectionSid", uid, name, role, ip, extract(epoch FROM joined_at)::float8 AS "joinedAt",
  extract(epoch FROM left_at)::float8 AS "leftAt", opened_by AS "openedBy", closed_by AS "closedBy", is_final AS "isFinal",
  is_counted AS "isCounted", extract(epoch FROM missing_since)::float8 AS "missingSince"`;

export interface RoomPresence {
  count: number;
  hasTeacher: boolean;
  lastLeftAt: number | null;
}

export interface RoomTotals {
  connections: number;
  totalSeconds: number;
  versionSum: number;
}

@Injectable()
export class ConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** What a fold about one connection needs: itself and the open ones of its uid. */
  around(tx: Transaction, sid: string, connectionSid: string, uid: string): Promise<Interval[]> {
    return tx.query<Interval & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM connections WHERE sid = $1 AND (connection_sid = $2 OR uid = $3)`,
      [sid, connectionSid, uid],
    );
  }

  open(tx: Transaction, sid: string): Promise<Interval[]> {
    return tx.query<Interval & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM connections WHERE sid = $1 AND left_at IS NULL`,
      [sid],
    );
  }

  /** What a fold about a list needs: the open ones, what the list names, and the uids it names. */
  aroundList(tx: Transaction, sid: string, connectionSids: string[], uids: string[]): Promise<Interval[]> {
    return tx.query<Interval & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM connections
        WHERE sid = $1 AND (left_at IS NULL OR connection_sid = ANY($2) OR uid = ANY($3))`,
      [sid, connectionSids, uids],
    );
  }

  /** Open intervals that the list taken at `takenAt` did not show, with the second each was last seen. */
  async unseen(tx: Transaction, sid: string, takenAt: number): Promise<{ connectionSid: string; seenAt: string }[]> {
    const rows = await tx.query<{ connectionSid: string; seenAt: Date }>(
      `SELECT connection_sid AS "connectionSid", coalesce(missing_since, joined_at) AS "seenAt" FROM connections
        WHERE sid = $1 AND left_at IS NULL AND is_counted AND (missing_since IS NOT NULL OR joined_at >= to_timestamp($2 - 1))`,
      [sid, takenAt],
    );
    return rows.map(({ connectionSid, seenAt }) => ({ connectionSid, seenAt: seenAt.toISOString() }));
  }

  /** Counted intervals in the order of their sids, from after `after`. */
  page(sid: string, after: string | undefined, limit: number): Promise<(Interval & { version: number })[]> {
    return this.database.query<Interval & { version: number } & Record<string, unknown>>(
      `SELECT ${COLUMNS}, version::float8 AS version FROM connections
        WHERE sid = $1 AND is_counted AND connection_sid > $2 ORDER BY connection_sid LIMIT $3`,
      [sid, after ?? '', limit],
    );
  }

  /** Writes the changed intervals, each with its own version. */
  async save(tx: Transaction, sid: string, intervals: (Interval & { version: number })[]): Promise<void> {
    const column = <T>(pick: (interval: Interval & { version: number }) => T) => intervals.map(pick);
    await tx.query(
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
      [
        sid,
        column((i) => i.connectionSid),
        column((i) => i.uid),
        column((i) => i.name),
        column((i) => i.role),
        column((i) => i.ip),
        column((i) => i.joinedAt),
        column((i) => i.leftAt),
        column<Evidence>((i) => i.openedBy),
        column((i) => i.closedBy),
        column((i) => i.isFinal),
        column((i) => i.isCounted),
        column((i) => i.missingSince),
        column((i) => i.version),
      ],
    );
  }

  /** Counted afresh after each change, never up and down: the open ones, and by the index the last that closed. */
  async presence(tx: Transaction, sid: string): Promise<RoomPresence> {
    const [row] = await tx.query<RoomPresence & Record<string, unknown>>(
      `SELECT count(*)::int AS count, coalesce(bool_or(role = 'TEACHER'), false) AS "hasTeacher",
              (SELECT extract(epoch FROM max(left_at))::float8 FROM connections WHERE sid = $1 AND is_counted) AS "lastLeftAt"
         FROM connections WHERE sid = $1 AND left_at IS NULL AND is_counted`,
      [sid],
    );
    return row ?? { count: 0, hasTeacher: false, lastLeftAt: null };
  }

  async totals(tx: Transaction, sid: string): Promise<RoomTotals> {
    const [row] = await tx.query<RoomTotals & Record<string, unknown>>(
      `SELECT count(*)::int AS connections, coalesce(sum(extract(epoch FROM left_at - joined_at)), 0)::float8 AS "totalSeconds",
              coalesce(sum(version), 0)::float8 AS "versionSum"
         FROM connections WHERE sid = $1 AND is_counted`,
      [sid],
    );
    return row ?? { connections: 0, totalSeconds: 0, versionSum: 0 };
  }
}
