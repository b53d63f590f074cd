import { Injectable } from '@nestjs/common';
import type { RoomBudget } from '@classroom/contracts';
import { arraysOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import type { Charge } from './charge.js';
import { monthsOf } from './sessions.repository.js';

export interface EventRoom {
  organizationId: string;
  sid: string;
  roomId: string;
  /** Some facts about a room state it. */
  title?: string;
  /** Whether the fact begins the room's meter. */
  isMetered?: boolean;
}

/** The budget of a room after `version` changes; null: none. */
export interface VersionedBudget {
  sid: string;
  budget: RoomBudget | null;
  version: number;
}

/** A room's final totals: its number of connections, the sum of their versions, and the room's own last version. */
interface FinalTotals {
  connections: number;
  versionSum: number;
  lastVersion: number;
}

/** In the order of the sids, which all transactions share. */
const lock = sql('meters.lock', 'SELECT sid FROM room_meters WHERE sid = ANY($1::text[]) ORDER BY sid FOR UPDATE');

/** Without a named index: the table has two unique ones, and a concurrent insert may meet either first. */
const insert = sql(
  'meters.insert',
  `INSERT INTO room_meters (sid, organization_id, room_id, title, connections, version_sum, closed_seconds)
   SELECT sid, organization_id, room_id, title, 0, 0, 0
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t(sid, organization_id, room_id, title)
    ORDER BY sid ON CONFLICT DO NOTHING RETURNING sid`,
);

const setTitles = sql(
  'meters.setTitles',
  `UPDATE room_meters m SET title = t.title FROM unnest($1::text[], $2::text[]) AS t(sid, title)
    WHERE m.sid = t.sid AND m.title <> t.title`,
);

/** A changed budget makes a class due that has been charged, because nothing else may make it due while it is empty. */
const setBudgets = sql(
  'meters.setBudgets',
  `UPDATE room_meters m
      SET budget = t.budget::json, budget_version = t.version,
          due_at = CASE WHEN t.version > 0 AND m.finished_at IS NULL AND m.charged_credits > 0 THEN coalesce(m.due_at, $4) ELSE m.due_at END
     FROM unnest($1::text[], $2::text[], $3::int4[]) AS t(sid, budget, version)
    WHERE m.sid = t.sid AND m.budget_version <= t.version RETURNING m.sid`,
);

const advanceVersions = sql(
  'meters.advanceVersions',
  `UPDATE room_meters m
      SET folded_version = greatest(m.folded_version, t.version), started_at = least(m.started_at, t.joined_at),
          due_at = CASE WHEN m.finished_at IS NULL THEN coalesce(m.due_at, $4) ELSE $5 END
     FROM unnest($1::text[], $2::int8[], $3::timestamptz[]) AS t(sid, version, joined_at)
    WHERE m.sid = t.sid`,
);

const recordCheckpoints = sql(
  'meters.recordCheckpoints',
  `UPDATE room_meters m
      SET verified_at = t.verified_at, unseen = t.unseen::jsonb,
          due_at = CASE WHEN m.finished_at IS NULL THEN coalesce(m.due_at, $4) ELSE m.due_at END
     FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS t(sid, verified_at, unseen)
    WHERE m.sid = t.sid AND (m.verified_at IS NULL OR m.verified_at < t.verified_at)`,
);

const recordTotals = sql(
  'meters.recordTotals',
  `UPDATE room_meters
      SET final_connections = CASE WHEN coalesce(final_version, -1) <= :lastVersion THEN :connections ELSE final_connections END,
          final_version_sum = CASE WHEN coalesce(final_version, -1) <= :lastVersion THEN :versionSum ELSE final_version_sum END,
          final_version = greatest(final_version, :lastVersion), ended_at = :endedAt, started_at = coalesce(:startedAt, started_at),
          finished_at = :now, due_at = :now, trace = :trace
    WHERE sid = :sid AND settled_at IS NULL`,
);

const markEnded = sql(
  'meters.markEnded',
  'UPDATE room_meters SET finished_at = $2, ended_at = $3, started_at = coalesce($4, started_at) WHERE sid = $1 AND finished_at IS NULL',
);

const recordCorrection = sql(
  'meters.recordCorrection',
  `UPDATE room_meters SET final_connections = $2, final_version_sum = $3, final_version = $4, due_at = $5
    WHERE sid = $1 AND settled_at IS NULL AND coalesce(final_version, -1) < $4`,
);

const findFinalVersion = sql('meters.findFinalVersion', 'SELECT final_version AS "finalVersion" FROM room_meters WHERE sid = $1');

/** Unless newer totals have come meanwhile. */
const recordFetchedTotals = sql(
  'meters.recordFetchedTotals',
  `UPDATE room_meters
      SET final_connections = $2, final_version_sum = $3, final_version = greatest(final_version, folded_version), due_at = $4
    WHERE sid = $1 AND settled_at IS NULL AND final_version IS NOT DISTINCT FROM $5`,
);

const saveCharges = sql(
  'meters.saveCharges',
  `UPDATE room_meters m
      SET charged_credits = m.charged_credits - coalesce(t.signed, 0), sequence = coalesce(t.sequence, m.sequence),
          last_entry_id = coalesce(t.entry_id, m.last_entry_id), due_at = t.due_at,
          settled_at = coalesce(m.settled_at, t.settled_at)
     FROM unnest($1::text[], $2::int8[], $3::int4[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
       AS t(sid, signed, sequence, entry_id, due_at, settled_at)
    WHERE m.sid = t.sid`,
);

const computeMissingSums = sql(
  'meters.computeMissingSums',
  `UPDATE room_meters m SET connections = s.connections, version_sum = s.version_sum, closed_seconds = s.seconds
     FROM (SELECT sid, started_at, ended_at FROM room_meters WHERE sid = ANY($1) AND connections IS NULL) unsummed
     CROSS JOIN LATERAL (
       SELECT count(*) AS connections, coalesce(sum(version), 0) AS version_sum, coalesce(sum(session_seconds(joined_at, left_at)), 0) AS seconds
         FROM sessions_by_month WHERE sessions_by_month.sid = unsummed.sid AND ${monthsOf('unsummed')}) s
    WHERE m.sid = unsummed.sid`,
);

const listErasable = sql.planned(
  'meters.listErasable',
  `SELECT sid, settled_at IS NOT NULL AS "isOver!" FROM room_meters
    WHERE organization_id = $1 AND ($3::text IS NULL OR room_id = $3)
      AND ($2::text IS NULL OR sid IN (SELECT sid FROM sessions_by_month WHERE organization_id = $1 AND uid = $2)) ORDER BY sid FOR UPDATE`,
);

const forgetTitles = sql.planned(
  'meters.forgetTitles',
  `UPDATE room_meters SET title = 'Erased' WHERE sid = ANY($1) AND title <> 'Erased' RETURNING 1`,
);

const hasUnsettled = sql.planned(
  'meters.hasUnsettled',
  'SELECT 1 FROM room_meters WHERE organization_id = $1 AND settled_at IS NULL LIMIT 1',
);

const listNamed = sql.planned(
  'meters.listNamed',
  `SELECT sid FROM room_meters WHERE organization_id = $1 AND (title <> 'Erased' OR room_id <> sid) ORDER BY sid LIMIT $2 FOR UPDATE`,
);

const forgetRooms = sql(
  'meters.forgetRooms',
  `UPDATE room_meters SET title = 'Erased', room_id = sid WHERE organization_id = $1 AND sid = ANY($2) RETURNING 1`,
);

/** Every change of a room's meter. */
@Injectable()
export class MetersRepository {
  constructor(private readonly database: Database) {}

  /** Locks the rooms' meters, and creates those that are missing of rooms that are metered now. */
  async lock(tx: Transaction, rooms: readonly EventRoom[]): Promise<void> {
    const sids = [...new Set(rooms.map(({ sid }) => sid))];
    const known = new Set((await tx.run(lock, sids)).map(({ sid }) => sid));
    const metered = new Map(rooms.flatMap((room) => (room.isMetered ? [[room.sid, room] as const] : [])));
    const missing = [...metered.values()].filter(({ sid }) => !known.has(sid));
    if (missing.length === 0) return;
    const titles = new Map(rooms.flatMap(({ sid, title }) => (title === undefined ? [] : [[sid, title] as const])));
    const rows = missing.map((room) => ({ ...room, title: titles.get(room.sid) ?? '' }));
    const inserted = await tx.run(insert, ...arraysOf(rows, 'sid', 'organizationId', 'roomId', 'title'));
    // Another transaction inserted the others in the meantime.
    if (inserted.length < missing.length) await tx.run(lock, sids);
  }

  /** Each room at most once. */
  async setTitles(tx: Transaction, rooms: readonly { sid: string; title: string }[]): Promise<void> {
    await tx.run(setTitles, ...arraysOf(rooms, 'sid', 'title'));
  }

  /**
   * Each room at most once. A budget of an earlier version changes nothing. The next roll-up compares a changed one with the charges.
   * @returns the rooms that have the given budget now
   */
  async setBudgets(tx: Transaction, rooms: readonly VersionedBudget[], now: Date): Promise<string[]> {
    const rows = rooms.map(({ budget, ...room }) => ({ ...room, budget: budget && JSON.stringify(budget) }));
    return (await tx.run(setBudgets, ...arraysOf(rows, 'sid', 'budget', 'version'), now)).map(({ sid }) => sid);
  }

  /**
   * Records folded connections, each room at most once: the highest version and the earliest join of those folded now. A live room is due at
   * `dueAt` unless it is due already; a finished room is due now.
   */
  async advanceVersions(
    tx: Transaction,
    rooms: readonly { sid: string; version: number; joinedAt: string }[],
    dueAt: Date,
    now: Date,
  ): Promise<void> {
    await tx.run(advanceVersions, ...arraysOf(rooms, 'sid', 'version', 'joinedAt'), dueAt, now);
  }

  /** Each room at most once. An older checkpoint than the stored one changes nothing. */
  async recordCheckpoints(
    tx: Transaction,
    checkpoints: readonly { sid: string; verifiedAt: string; unseen: Record<string, number> }[],
    dueAt: Date,
  ): Promise<void> {
    const rows = checkpoints.map((checkpoint) => ({ ...checkpoint, unseen: JSON.stringify(checkpoint.unseen) }));
    await tx.run(recordCheckpoints, ...arraysOf(rows, 'sid', 'verifiedAt', 'unseen'), dueAt);
  }

  async recordTotals(
    tx: Transaction,
    sid: string,
    final: FinalTotals & { startedAt: string | null; endedAt: string },
    now: Date,
    trace: string | null,
  ): Promise<void> {
    await tx.run(recordTotals, { ...final, sid, now, trace });
  }

  /** Records the end of a room that the room service reports, without totals. The catch-up fetches them. */
  async markEnded(tx: Transaction, sid: string, room: { startedAt: string | null; endedAt: string }, now: Date): Promise<void> {
    await tx.run(markEnded, sid, now, room.endedAt, room.startedAt);
  }

  /** Records the totals after evidence arrived later than the room's end. It may arrive before or after the fact of the end. */
  async recordCorrection(tx: Transaction, sid: string, { connections, versionSum, lastVersion }: FinalTotals, now: Date): Promise<void> {
    await tx.run(recordCorrection, sid, connections, versionSum, lastVersion, now);
  }

  /** The version of the room's totals that are known. */
  async findFinalVersion(sid: string): Promise<number | null> {
    return (await this.database.first(findFinalVersion, sid))?.finalVersion ?? null;
  }

  /** The totals of the room's own list replace those of the version `before`, which were known when the list was requested. */
  async recordFetchedTotals(
    sid: string,
    { connections, versionSum }: Omit<FinalTotals, 'lastVersion'>,
    before: number | null,
    now: Date,
  ): Promise<void> {
    await this.database.run(recordFetchedTotals, sid, connections, versionSum, now, before);
  }

  /** Stores the charges, and when each meter is due next. */
  async saveCharges(
    tx: Transaction,
    meters: readonly { sid: string; charge: (Charge & { entryId: string }) | undefined; dueAt: Date | null; settledAt: Date | null }[],
  ): Promise<void> {
    const rows = meters.map(({ sid, charge, dueAt, settledAt }) => ({
      sid,
      signed: charge?.signedCredits,
      sequence: charge?.sequence,
      entryId: charge?.entryId,
      dueAt,
      settledAt,
    }));
    await tx.run(saveCharges, ...arraysOf(rows, 'sid', 'signed', 'sequence', 'entryId', 'dueAt', 'settledAt'));
  }

  /** Computes the sums once for each meter that a release without sums created. The meters must be locked by `tx`. */
  async computeMissingSums(tx: Transaction, sids: readonly string[]): Promise<void> {
    await tx.run(computeMissingSums, sids);
  }

  /** Locks the meters of a person's classes, or of the classes with a roomId, in the order of their sids. */
  listErasable(tx: Transaction, organizationId: string, uid: string | null, roomId: string | null): Promise<RowOf<typeof listErasable>[]> {
    return tx.run(listErasable, organizationId, uid, roomId);
  }

  async hasUnsettled(organizationId: string): Promise<boolean> {
    return (await this.database.run(hasUnsettled, organizationId)).length > 0;
  }

  /** Locks classes that still have their id or title. */
  async listNamed(tx: Transaction, organizationId: string, limit: number): Promise<string[]> {
    return (await tx.run(listNamed, organizationId, limit)).map(({ sid }) => sid);
  }

  /** Removes the titles of classes, and names them by their sid. @returns how many classes */
  async forgetRooms(tx: Transaction, organizationId: string, sids: readonly string[]): Promise<number> {
    return (await tx.run(forgetRooms, organizationId, sids)).length;
  }

  /** @returns how many classes */
  async forgetTitles(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(forgetTitles, sids)).length;
  }
}
