import { Injectable } from '@nestjs/common';
import { arraysOf, columnsOf, Database, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import type { Pseudonym } from '../participants/participants.repository.js';
import { ConnectionEntity } from '../schema/connection.entity.js';
import { sql } from '../schema/sql.js';
import type { Interval } from './interval.js';

/** Condition of a statement for the connections of the room `sid`, a parameter: they are in one partition. */
export const ofRoom = (sid: string) => `sid = ${sid} AND month = (SELECT connection_month(created_at) FROM rooms WHERE rooms.sid = ${sid})`;

export const OF_ROOM = ofRoom('$1');

/** Times as seconds since 1970: float8 holds whole numbers up to 2^53. */
const TIMES = `extract(epoch FROM joined_at)::float8 AS "joinedAt!", extract(epoch FROM left_at)::float8 AS "leftAt",
  extract(epoch FROM missing_since)::float8 AS "missingSince"`;
const INTERVAL = `${columnsOf(ConnectionEntity, { except: ['sid', 'joinedAt', 'leftAt', 'missingSince', 'version', 'month'] })}, ${TIMES}`;

/** A list whose length Postgres does not see: it then keeps one plan for all lengths instead of planning each batch. */
const list = (parameter: string) => `(SELECT ${parameter}::text[])`;

const findRelated = sql(
  'connections.findRelated',
  `SELECT ${INTERVAL} FROM connections_by_month WHERE ${OF_ROOM} AND (connection_sid = $2 OR uid = $3)`,
);

/**
 * The connections, the others of their people, and the open ones of the rooms in $4; some more than once. Each is an index lookup of its own, also in
 * a month whose partition Postgres has no statistics of.
 */
const findRelatedToAll = sql(
  'connections.findRelatedToAll',
  `SELECT sid AS "sid!", connection_sid AS "connectionSid!", uid AS "uid!", name AS "name!", role AS "role!", ip, opened_by AS "openedBy!",
          closed_by AS "closedBy", is_final AS "isFinal!", is_counted AS "isCounted!", ${TIMES}
     FROM (SELECT c.* FROM unnest(${list('$1')}, ${list('$2')}, ${list('$3')}) AS t(sid, connection_sid, uid)
             JOIN rooms r USING (sid)
             CROSS JOIN LATERAL (
               SELECT * FROM connections_by_month
                WHERE connection_sid = t.connection_sid AND sid = t.sid AND month = connection_month(r.created_at)
               UNION ALL
               SELECT * FROM connections_by_month
                WHERE sid = t.sid AND uid = t.uid AND connection_sid <> t.connection_sid AND month = connection_month(r.created_at)) c
           UNION ALL
           SELECT c.* FROM unnest(${list('$4')}) AS t(sid)
             JOIN rooms r USING (sid)
             JOIN connections_by_month c ON c.sid = t.sid AND c.month = connection_month(r.created_at)
            WHERE c.left_at IS NULL) related`,
);

const findOpen = sql('connections.findOpen', `SELECT ${INTERVAL} FROM connections_by_month WHERE ${OF_ROOM} AND left_at IS NULL`);

const findUnseen = sql(
  'connections.findUnseen',
  `SELECT c.sid, c.connection_sid AS "connectionSid", coalesce(c.missing_since, c.joined_at) AS "seenAt!"
     FROM unnest($1::text[], $2::int8[]) AS t(sid, taken_at)
     JOIN rooms r USING (sid)
     JOIN connections_by_month c ON c.sid = t.sid AND c.month = connection_month(r.created_at)
    WHERE c.left_at IS NULL AND c.is_counted AND (c.missing_since IS NOT NULL OR c.joined_at >= to_timestamp(t.taken_at - 1))`,
);

const page = sql.planned(
  'connections.page',
  `SELECT ${INTERVAL}, version FROM connections_by_month
    WHERE ${OF_ROOM} AND is_counted AND connection_sid > $2 ORDER BY connection_sid LIMIT $3`,
);

const save = sql(
  'connections.save',
  `INSERT INTO connections_by_month (sid, connection_sid, uid, name, role, ip, joined_at, left_at, opened_by, closed_by,
                                     is_final, is_counted, missing_since, version, month)
   SELECT t.sid, connection_sid, uid, name, role, ip, to_timestamp(joined_at), to_timestamp(left_at), opened_by, closed_by,
          is_final, is_counted, to_timestamp(missing_since), t.version, connection_month(r.created_at)
     FROM unnest(:sid::text[], :connectionSid::text[], :uid::text[], :name::text[], :role::text[], :ip::text[], :joinedAt::int8[], :leftAt::int8[],
                 :openedBy::text[], :closedBy::text[], :isFinal::bool[], :isCounted::bool[], :missingSince::int8[], :version::int8[])
       AS t(sid, connection_sid, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, is_final, is_counted,
            missing_since, version)
     JOIN rooms r USING (sid)
   ON CONFLICT (connection_sid, month) DO UPDATE
      SET role = excluded.role, left_at = excluded.left_at, closed_by = excluded.closed_by, is_final = excluded.is_final,
          is_counted = excluded.is_counted, missing_since = excluded.missing_since, version = excluded.version`,
);

const summarizePresence = sql(
  'connections.summarizePresence',
  `SELECT r.sid AS "sid!", o.count AS "count!", coalesce(o.has_teacher, false) AS "hasTeacher!",
          (SELECT extract(epoch FROM max(left_at))::float8 FROM connections_by_month
            WHERE sid = r.sid AND month = connection_month(r.created_at) AND is_counted) AS "lastLeftAt"
     FROM rooms r
     CROSS JOIN LATERAL (SELECT count(*) AS count, bool_or(role = 'TEACHER') AS has_teacher FROM connections_by_month
                          WHERE sid = r.sid AND month = connection_month(r.created_at) AND left_at IS NULL AND is_counted) o
    WHERE r.sid = ANY (${list('$1')}::text[])`,
);

const totals = sql(
  'connections.totals',
  `SELECT count(*) AS "connections!", coalesce(sum(extract(epoch FROM left_at - joined_at)), 0)::float8 AS "totalSeconds!",
          coalesce(sum(version), 0)::float8 AS "versionSum!"
     FROM connections_by_month WHERE ${OF_ROOM} AND is_counted`,
);

export type Versioned = Interval & { version: number };

const clearAddresses = sql.planned(
  'connections.clearAddresses',
  'UPDATE connections_by_month SET ip = NULL WHERE sid = ANY($1) AND ip IS NOT NULL RETURNING 1',
);

const clearAddressesOf = sql.planned(
  'connections.clearAddressesOf',
  `UPDATE connections_by_month c SET ip = NULL FROM unnest($1::text[], $2::text[]) AS p(sid, uid)
    WHERE c.sid = p.sid AND c.uid = p.uid AND c.ip IS NOT NULL RETURNING 1`,
);

const pseudonymize = sql.planned(
  'connections.pseudonymize',
  `UPDATE connections_by_month c SET uid = p.alias, name = '' FROM unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias)
    WHERE c.sid = p.sid AND c.uid = p.uid`,
);

@Injectable()
export class ConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** The intervals that folding evidence of one connection needs: its own and all others of its uid. */
  findRelated(tx: Transaction, sid: string, connectionSid: string, uid: string): Promise<Interval[]> {
    return tx.run(findRelated, sid, connectionSid, uid);
  }

  /**
   * The intervals that folding evidence of many connections needs, by room and connection: their own, all others of their uids, and
   * the open ones of the rooms in `whole`.
   */
  async findRelatedToAll(
    tx: Transaction,
    connections: readonly { sid: string; connectionSid: string; uid: string }[],
    whole: readonly string[],
  ): Promise<Map<string, Map<string, Interval>>> {
    const rooms = new Map<string, Map<string, Interval>>();
    for (const { sid, ...interval } of await tx.run(findRelatedToAll, ...arraysOf(connections, 'sid', 'connectionSid', 'uid'), whole)) {
      const room = rooms.get(sid) ?? new Map<string, Interval>();
      // A UNION loses what the entity knows of its columns.
      rooms.set(sid, room.set(interval.connectionSid, interval as Interval));
    }
    return rooms;
  }

  findOpen(tx: Transaction, sid: string): Promise<Interval[]> {
    return tx.run(findOpen, sid);
  }

  /** By room: open intervals that the list taken at `takenAt` (seconds of LiveKit's clock) did not contain, and when each was last seen. */
  async findUnseen(
    tx: Transaction,
    rooms: readonly { sid: string; takenAt: number }[],
  ): Promise<ReadonlyMap<string, { connectionSid: string; seenAt: string }[]>> {
    const unseen = new Map<string, { connectionSid: string; seenAt: string }[]>();
    for (const { sid, connectionSid, seenAt } of await tx.run(findUnseen, ...arraysOf(rooms, 'sid', 'takenAt')))
      unseen.set(sid, [...(unseen.get(sid) ?? []), { connectionSid, seenAt: seenAt.toISOString() }]);
    return unseen;
  }

  /** Counted intervals in the order of their connection sids, after `after`. */
  page(sid: string, after: string | undefined, limit: number): Promise<Versioned[]> {
    return this.database.run(page, sid, after ?? '', limit);
  }

  /** Writes the changed intervals, each once and with its own version. */
  async save(tx: Transaction, intervals: readonly (Versioned & { sid: string })[]): Promise<void> {
    const identity = ['sid', 'connectionSid', 'uid', 'name', 'role', 'ip'] as const;
    const evidence = ['joinedAt', 'leftAt', 'openedBy', 'closedBy', 'isFinal', 'isCounted', 'missingSince', 'version'] as const;
    await tx.run(save, namedArraysOf(intervals, ...identity, ...evidence));
  }

  /** Computed from the rows after each change, never incremented or decremented: the open intervals and, by an index, the latest end. */
  async summarizePresence(tx: Transaction, sids: readonly string[]): Promise<ReadonlyMap<string, RowOf<typeof summarizePresence>>> {
    return new Map((await tx.run(summarizePresence, sids)).map((row) => [row.sid, row]));
  }

  /** Deletes the addresses in the connections of these classes. @returns how many */
  async clearAddresses(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(clearAddresses, sids)).length;
  }

  /** Deletes the addresses in the connections of these people. @returns how many */
  async clearAddressesOf(tx: Transaction, people: readonly { sid: string; uid: string }[]): Promise<number> {
    return (await tx.run(clearAddressesOf, ...arraysOf(people, 'sid', 'uid'))).length;
  }

  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymize, ...arraysOf(people, 'sid', 'uid', 'alias'));
  }

  async totals(tx: Transaction, sid: string): Promise<RowOf<typeof totals>> {
    const row = await tx.first(totals, sid);
    return row ?? { connections: 0, totalSeconds: 0, versionSum: 0 };
  }
}
