import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { linkTo, presentTrace } from '@classroom/platform';
import type { Charge, MeterReading } from './charge.js';

export interface EventRoom {
  organizationId: string;
  sid: string;
  roomId: string;
}

/** A reading with what a posting needs beside it. */
export type DueMeter = MeterReading & { chargedThrough: Date | null; hasOpen: boolean };

/** Where a meter lies among its organization's unsettled ones. `startedAt` is Postgres's text: a Date has no microseconds. */
export interface MeterKey {
  startedAt: string;
  sid: string;
}

@Injectable()
export class MetersRepository {
  /** The room's meter, locked; made by whichever event of the room comes first. */
  async lock(tx: Transaction, room: EventRoom): Promise<void> {
    const lock = () => tx.query('SELECT 1 AS held FROM room_meters WHERE sid = $1 FOR UPDATE', [room.sid]);
    if ((await lock()).length > 0) return;
    await tx.query(
      `INSERT INTO room_meters (sid, organization_id, room_id, title, connections, version_sum, closed_seconds)
       VALUES ($1, $2, $3, '', 0, 0, 0) ON CONFLICT (sid) DO NOTHING`,
      [room.sid, room.organizationId, room.roomId],
    );
    await lock();
  }

  async setTitle(tx: Transaction, sid: string, title: string): Promise<void> {
    await tx.query('UPDATE room_meters SET title = $2 WHERE sid = $1', [sid, title]);
  }

  /** Somebody came or went: the room is due by `dueAt`, at once where it has finished. */
  async folded(tx: Transaction, sid: string, version: number, joinedAt: string, dueAt: Date, now: Date): Promise<void> {
    await tx.query(
      `UPDATE room_meters
          SET folded_version = greatest(folded_version, $2), started_at = least(started_at, $3::timestamptz),
              due_at = CASE WHEN finished_at IS NULL THEN coalesce(due_at, $4) ELSE $5 END
        WHERE sid = $1`,
      [sid, version, joinedAt, dueAt, now],
    );
  }

  async verified(tx: Transaction, sid: string, verifiedAt: string, unseen: Record<string, number>, dueAt: Date): Promise<void> {
    await tx.query(
      `UPDATE room_meters SET verified_at = $2, unseen = $3, due_at = CASE WHEN finished_at IS NULL THEN coalesce(due_at, $4) ELSE due_at END
        WHERE sid = $1 AND (verified_at IS NULL OR verified_at < $2)`,
      [sid, verifiedAt, JSON.stringify(unseen), dueAt],
    );
  }

  async finished(
    tx: Transaction,
    sid: string,
    final: { connections: number; versionSum: number; lastVersion: number; startedAt: string | null; endedAt: string },
    now: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE room_meters
          SET final_connections = CASE WHEN coalesce(final_version, -1) <= $4 THEN $2 ELSE final_connections END,
              final_version_sum = CASE WHEN coalesce(final_version, -1) <= $4 THEN $3 ELSE final_version_sum END,
              final_version = greatest(final_version, $4), ended_at = $5, started_at = coalesce($6, started_at),
              finished_at = $7, due_at = $7, trace = $8
        WHERE sid = $1 AND settled_at IS NULL`,
      [sid, final.connections, final.versionSum, final.lastVersion, final.endedAt, final.startedAt, now, presentTrace()],
    );
  }

  /** Known from its owner, without what it came to: that is fetched. */
  async isOver(tx: Transaction, sid: string, room: { startedAt: string | null; endedAt: string }, now: Date): Promise<void> {
    await tx.query(
      `UPDATE room_meters SET finished_at = $2, ended_at = $3, started_at = coalesce($4, started_at) WHERE sid = $1 AND finished_at IS NULL`,
      [sid, now, room.endedAt, room.startedAt],
    );
  }

  /** What the room comes to since evidence came after its end, whichever of the two facts arrives first. */
  async corrected(
    tx: Transaction,
    sid: string,
    final: { connections: number; versionSum: number; lastVersion: number },
    now: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE room_meters SET final_connections = $2, final_version_sum = $3, final_version = $4, due_at = $5
        WHERE sid = $1 AND settled_at IS NULL AND coalesce(final_version, -1) < $4`,
      [sid, final.connections, final.versionSum, final.lastVersion, now],
    );
  }

  /** Meters of one organization whose turn has come, locked; those that somebody else works on are left out. */
  async due(tx: Transaction, organizationId: string, now: Date, through: Date | null, limit: number): Promise<DueMeter[]> {
    const locked = await tx.query<{ sid: string; trace: string | null }>(
      `SELECT sid, trace FROM room_meters WHERE organization_id = $1 AND due_at <= $2 ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
      [organizationId, now],
    );
    for (const { trace } of locked) linkTo(trace);
    return this.read(tx, locked, through);
  }

  /**
   * Unsettled meters of one organization that began before `through`, locked, from `after` on: a cycle ends for all of them.
   * `next` is where to go on, where there may be more.
   */
  async unsettled(tx: Transaction, organizationId: string, through: Date, after: MeterKey | undefined, limit: number): Promise<{ readings: DueMeter[]; next: MeterKey | undefined }> {
    const locked = await tx.query<MeterKey & Record<string, unknown>>(
      `SELECT sid, started_at::text AS "startedAt" FROM room_meters
        WHERE organization_id = $1 AND settled_at IS NULL AND started_at < $2 AND (started_at, sid) > ($3::timestamptz, $4)
        ORDER BY room_meters.started_at, sid LIMIT ${limit} FOR UPDATE`,
      [organizationId, through, after?.startedAt ?? '-infinity', after?.sid ?? ''],
    );
    return { readings: await this.read(tx, locked, through), next: locked.length === limit ? locked.at(-1) : undefined };
  }

  /** What is charged now, and when the meter is looked at next. */
  async save(
    tx: Transaction,
    meters: readonly { sid: string; charge: Charge | undefined; entryId: string | undefined; dueAt: Date | null; settledAt: Date | null }[],
  ): Promise<void> {
    const column = <T>(pick: (meter: (typeof meters)[number]) => T) => meters.map(pick);
    await tx.query(
      `UPDATE room_meters m
          SET charged_credits = m.charged_credits - coalesce(t.signed, 0), sequence = coalesce(t.sequence, m.sequence),
              last_entry_id = coalesce(t.entry_id, m.last_entry_id), due_at = t.due_at,
              settled_at = coalesce(m.settled_at, t.settled_at)
         FROM unnest($1::text[], $2::int8[], $3::int4[], $4::uuid[], $5::timestamptz[], $6::timestamptz[])
           AS t(sid, signed, sequence, entry_id, due_at, settled_at)
        WHERE m.sid = t.sid`,
      [
        column(({ sid }) => sid),
        column(({ charge }) => charge?.signedCredits ?? null),
        column(({ charge }) => charge?.sequence ?? null),
        column(({ entryId }) => entryId ?? null),
        column(({ dueAt }) => dueAt),
        column(({ settledAt }) => settledAt),
      ],
    );
  }

  /**
   * Whole seconds come from the sessions: closed ones whole, open ones to where they were last verified, none past `through`
   * (null: no limit). A live room's closed sessions are already summed up; those that ended after `through` count less than that.
   * A finished room's are read one by one: its last charge depends on no sum.
   *
   * A statement of its own after the one that locked: that one's snapshot may be older than its locks, and what a fold
   * committed in between would be missed.
   */
  private async read(tx: Transaction, locked: readonly { sid: string }[], through: Date | null): Promise<DueMeter[]> {
    const sids = locked.map(({ sid }) => sid);
    await this.sum(tx, sids);
    return tx.query<DueMeter & Record<string, unknown>>(
      `SELECT m.sid, m.room_id AS "roomId", m.charged_credits::float8 AS "chargedCredits", m.sequence,
              m.last_entry_id AS "lastEntryId", m.folded_version::float8 AS "foldedVersion",
              m.final_version::float8 AS "finalVersion", m.final_connections AS "finalConnections", m.final_version_sum::float8 AS "finalVersionSum",
              m.finished_at IS NOT NULL AS "isFinished", m.settled_at IS NOT NULL AS "isSettled", s.open > 0 AS "hasOpen",
              (CASE WHEN m.finished_at IS NULL THEN m.closed_seconds ELSE 0 END + s.seconds)::float8 AS seconds,
              (CASE WHEN m.finished_at IS NULL THEN m.connections ELSE s.connections END)::float8 AS connections,
              (CASE WHEN m.finished_at IS NULL THEN m.version_sum ELSE s.version_sum END)::float8 AS "versionSum",
              least(coalesce(m.ended_at, m.verified_at), $2::timestamptz) AS "chargedThrough"
         FROM room_meters m
         CROSS JOIN LATERAL (
           SELECT count(*) AS connections, count(*) FILTER (WHERE left_at IS NULL) AS open, coalesce(sum(version), 0) AS version_sum,
                  coalesce(sum(greatest(0, floor(extract(epoch FROM
                    least(coalesce(left_at, to_timestamp((m.unseen->>connection_sid)::int8), CASE WHEN behind = m.verified_at THEN joined_at END,
                                   m.verified_at, joined_at), $2::timestamptz)))
                    - extract(epoch FROM joined_at)) - CASE WHEN is_summed THEN session_seconds(joined_at, left_at) ELSE 0 END), 0) AS seconds
             FROM (SELECT *, false AS is_summed FROM sessions WHERE sid = m.sid AND m.finished_at IS NOT NULL
                   UNION ALL SELECT *, false FROM sessions WHERE sid = m.sid AND left_at IS NULL AND m.finished_at IS NULL
                   UNION ALL SELECT *, true FROM sessions WHERE sid = m.sid AND left_at > $2 AND m.finished_at IS NULL) sessions) s
        WHERE m.sid = ANY($1)`,
      [sids, through],
    );
  }

  /** Once for each meter that a release before the sums has made. The meters must be locked by `tx`. */
  private async sum(tx: Transaction, sids: readonly string[]): Promise<void> {
    await tx.query(
      `UPDATE room_meters m SET connections = s.connections, version_sum = s.version_sum, closed_seconds = s.seconds
         FROM (SELECT sid FROM room_meters WHERE sid = ANY($1) AND connections IS NULL) unsummed
         CROSS JOIN LATERAL (
           SELECT count(*) AS connections, coalesce(sum(version), 0) AS version_sum, coalesce(sum(session_seconds(joined_at, left_at)), 0) AS seconds
             FROM sessions WHERE sessions.sid = unsummed.sid) s
        WHERE m.sid = unsummed.sid`,
      [sids],
    );
  }
}
