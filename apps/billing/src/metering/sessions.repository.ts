import { Injectable } from '@nestjs/common';
import type { EventData, participantConnection } from '@classroom/contracts';
import { Database, KnownMonths, namedArraysOf, type PagePosition, type RowOf, type Transaction } from '@classroom/persistence';
import { ALIAS_PREFIX } from '@classroom/platform';
import { SessionEntity } from '../schema/session.entity.js';
import { sql } from '../schema/sql.js';

/**
 * Conditions that limit a statement about sessions to the partitions in which a room's sessions can be. A room's sessions begin between
 * the start and the end of its class, as its meter knows them. A day more on both sides costs nothing.
 * @param meter alias of the meter in the statement
 */
export const monthsOf = (meter: string) =>
  `month BETWEEN session_month(coalesce(${meter}.started_at, '-infinity') - interval '1 day') AND session_month(coalesce(${meter}.ended_at, 'infinity') + interval '1 day')`;

/** The same for a statement about the room $1, without a meter. */
export const MONTHS_OF_ROOM = `month >= coalesce((SELECT session_month(started_at - interval '1 day') FROM room_meters WHERE room_meters.sid = $1), '1970-01-01')`;

type Connection = EventData<typeof participantConnection>;

const SECONDS_THROUGH = `greatest(0, floor(extract(epoch FROM least(coalesce(left_at, $2), coalesce($2, left_at)))) - extract(epoch FROM joined_at))`;
const JOINED_BY = `sid = $1 AND ${MONTHS_OF_ROOM} AND ($2::timestamptz IS NULL OR joined_at <= $2)`;

const addMonth = sql('sessions.addMonth', 'SELECT add_sessions_month($1::text::date)');

const upsert = sql(
  'sessions.upsert',
  `INSERT INTO sessions_by_month AS s (connection_sid, sid, organization_id, uid, name, role, ip, joined_at, left_at, opened_by, closed_by,
                                       version, behind, month)
   SELECT t.*, m.verified_at, session_month(t.joined_at)
     FROM unnest(:connectionSid::text[], :sid::text[], :organizationId::text[], :uid::text[], :name::text[], :role::text[], :ip::text[],
                 :joinedAt::timestamptz[], :leftAt::timestamptz[], :openedBy::text[], :closedBy::text[], :version::int8[])
          AS t(connection_sid, sid, organization_id, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, version)
     LEFT JOIN room_meters m ON m.sid = t.sid
   ON CONFLICT (connection_sid, organization_id, month) DO UPDATE
      SET uid = excluded.uid, name = excluded.name, role = excluded.role, ip = excluded.ip, joined_at = excluded.joined_at,
          left_at = excluded.left_at, opened_by = excluded.opened_by, closed_by = excluded.closed_by, version = excluded.version
    WHERE s.version < excluded.version`,
);

const listThrough = sql.planned(
  'sessions.listThrough',
  `SELECT connection_sid AS "connectionSid", uid, joined_at AS "joinedAt", left_at AS "leftAt", ${SECONDS_THROUGH}::float8 AS "seconds!",
          opened_by AS "openedBy", closed_by AS "closedBy"
     FROM sessions_by_month WHERE ${JOINED_BY} AND ($3::timestamptz IS NULL OR (joined_at, connection_sid) > ($3, $4::text))
    ORDER BY joined_at, connection_sid LIMIT $5`,
);

const sumSecondsThrough = sql.planned(
  'sessions.sumSecondsThrough',
  `SELECT coalesce(sum(${SECONDS_THROUGH}), 0)::float8 AS "seconds!" FROM sessions_by_month WHERE ${JOINED_BY}`,
);

/** A live room with an open session has a next charge. */
const countOpen = sql(
  'sessions.countOpen',
  `SELECT count(*) AS "open!" FROM room_meters m
     CROSS JOIN LATERAL (SELECT FROM sessions_by_month WHERE sid = m.sid AND left_at IS NULL AND ${monthsOf('m')}) s
    WHERE m.organization_id = $1 AND m.due_at IS NOT NULL AND m.finished_at IS NULL`,
);

const clearAddresses = sql.planned(
  'sessions.clearAddresses',
  'UPDATE sessions_by_month SET ip = NULL WHERE organization_id = $1 AND sid = ANY($2) AND ip IS NOT NULL RETURNING 1',
);

/** `people`: a pseudonym for each person of each class, as `newAlias` makes them. */
const withPeople = (which = '') =>
  `WITH people AS (
     SELECT sid, uid, '${ALIAS_PREFIX}' || left(replace(gen_random_uuid()::text, '-', ''), 16) AS alias
       FROM (SELECT DISTINCT sid, uid FROM sessions_by_month
              WHERE organization_id = $1 AND sid = ANY($2) ${which} AND uid NOT LIKE '${ALIAS_PREFIX}%') s)`;
const OF_PEOPLE = 'FROM people p WHERE s.organization_id = $1 AND s.sid = p.sid AND s.uid = p.uid RETURNING 1';

const pseudonymize = sql.planned(
  'sessions.pseudonymize',
  `${withPeople()} UPDATE sessions_by_month s SET uid = p.alias, name = '' ${OF_PEOPLE}`,
);

const erase = sql.planned(
  'sessions.erase',
  `${withPeople('AND ($3::text IS NULL OR uid = $3)')} UPDATE sessions_by_month s SET uid = p.alias, name = '', ip = NULL ${OF_PEOPLE}`,
);

export type ExplainedSession = RowOf<typeof listThrough>;

@Injectable()
export class SessionsRepository {
  private readonly months = new KnownMonths((month) => this.database.run(addMonth, month));

  constructor(private readonly database: Database) {}

  /** Adds the missing partitions of sessions with these joins. Not inside a transaction. */
  addPartitions(connections: readonly Pick<Connection, 'joinedAt'>[]): Promise<void> {
    return this.months.ensure(connections.map(({ joinedAt }) => new Date(joinedAt)));
  }

  /** Adds the partitions of this month and of the next two. */
  addPartitionsAhead(now: Date): Promise<void> {
    return this.months.ensureAhead(now);
  }

  /**
   * Stores each connection whose version is higher than the stored one, so order and duplicates do not matter. The meter must be locked by
   * `tx`, and the partition must exist (`addPartitions`).
   */
  async upsert(tx: Transaction, connections: readonly Connection[]): Promise<void> {
    const identity = ['connectionSid', 'sid', 'organizationId', 'uid', 'name', 'role', 'ip'] as const;
    await tx.run(upsert, namedArraysOf(connections, ...identity, 'joinedAt', 'leftAt', 'openedBy', 'closedBy', 'version'));
  }

  /**
   * A room's sessions after `after` in the order of their joins, each with its whole seconds up to `until` (null: to its end). A null
   * `limit` returns all.
   */
  listThrough(sid: string, until: Date | null, after: PagePosition | undefined, limit: number | null): Promise<ExplainedSession[]> {
    return this.database.run(listThrough, sid, until, after?.createdAt ?? null, after?.id ?? null, limit);
  }

  /** Deletes the addresses in the sessions of these classes. @returns how many */
  async clearAddresses(tx: Transaction, organizationId: string, sids: readonly string[]): Promise<number> {
    return (await tx.run(clearAddresses, organizationId, sids)).length;
  }

  /** Replaces uid and name in the sessions of these classes; times stay, and so do charges. @returns how many sessions */
  async pseudonymize(tx: Transaction, organizationId: string, sids: readonly string[]): Promise<number> {
    return (await tx.run(pseudonymize, organizationId, sids)).length;
  }

  /** Removes uid, name and address of a person, or of everyone, from the sessions of these classes. @returns how many sessions */
  async erase(tx: Transaction, organizationId: string, sids: readonly string[], uid: string | null): Promise<number> {
    return (await tx.run(erase, organizationId, sids, uid)).length;
  }

  hasAny(organizationId: string): Promise<boolean> {
    return this.database.manager.existsBy(SessionEntity, { organizationId });
  }

  /** Open sessions in the organization's live rooms. */
  async countOpen(organizationId: string): Promise<number> {
    return (await this.database.first(countOpen, organizationId))?.open ?? 0;
  }

  /** Whole seconds of all the room's sessions up to `until`. */
  async sumSecondsThrough(sid: string, until: Date | null): Promise<number> {
    const row = await this.database.first(sumSecondsThrough, sid, until);
    return row?.seconds ?? 0;
  }
}
