import { Injectable } from '@nestjs/common';
import { arraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { linkTo } from '@classroom/platform';
import { BUDGET_PERCENTS } from '@classroom/contracts';
import { sql } from '../schema/sql.js';
import { monthsOf } from './sessions.repository.js';

/** Meters charged by one transaction. It limits how long the accounts are locked, however large the organizations are. */
export const METERS_PER_TRANSACTION = 500;

const lockDue = sql(
  'due-meters.lockDue',
  `SELECT due.sid, o.organization_id AS "organizationId!", due.trace, o.through, due.has_budget AS "hasBudget!"
     FROM unnest($1::text[], $2::timestamptz[]) AS o(organization_id, through)
     CROSS JOIN LATERAL (SELECT sid, trace, budget IS NOT NULL AS has_budget
                           FROM room_meters WHERE organization_id = o.organization_id AND due_at <= $3
                          ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED) due`,
);

/** `startedAt` is text, because a Date has no microseconds. */
const lockUnsettled = sql(
  'due-meters.lockUnsettled',
  `SELECT sid, started_at::text AS "startedAt!" FROM room_meters
    WHERE organization_id = $1 AND settled_at IS NULL AND started_at < $2 AND (started_at, sid) > ($3::timestamptz, $4)
    ORDER BY room_meters.started_at, sid LIMIT ${METERS_PER_TRANSACTION} FOR UPDATE`,
);

const read = sql(
  'due-meters.read',
  `SELECT m.sid, m.organization_id AS "organizationId", m.room_id AS "roomId", m.charged_credits AS "chargedCredits", m.sequence,
          m.last_entry_id AS "lastEntryId", m.folded_version AS "foldedVersion",
          m.final_version AS "finalVersion", m.final_connections AS "finalConnections", m.final_version_sum AS "finalVersionSum",
          m.finished_at IS NOT NULL AS "isFinished!", m.settled_at IS NOT NULL AS "isSettled!", t.through IS NOT NULL AS "isPartial!",
          s.open > 0 AS "hasOpen!",
          (CASE WHEN m.finished_at IS NULL THEN m.closed_seconds ELSE 0 END + s.seconds)::int8 AS "seconds!",
          CASE WHEN m.finished_at IS NULL THEN m.connections ELSE s.connections END AS "connections!",
          (CASE WHEN m.finished_at IS NULL THEN m.version_sum ELSE s.version_sum END)::float8 AS "versionSum!",
          least(coalesce(m.ended_at, m.verified_at), t.through) AS "chargedThrough"
     FROM unnest($1::text[], $2::timestamptz[]) AS t(sid, through)
     JOIN room_meters m USING (sid)
     CROSS JOIN LATERAL (
       SELECT count(*) AS connections, count(*) FILTER (WHERE left_at IS NULL) AS open, coalesce(sum(version), 0) AS version_sum,
              coalesce(sum(greatest(0, floor(extract(epoch FROM
                least(coalesce(left_at, to_timestamp((m.unseen->>connection_sid)::int8), CASE WHEN behind = m.verified_at THEN joined_at END,
                               m.verified_at, joined_at), t.through)))
                - extract(epoch FROM joined_at))
                - CASE WHEN m.finished_at IS NULL AND left_at IS NOT NULL THEN session_seconds(joined_at, left_at) ELSE 0 END), 0) AS seconds
         FROM (SELECT * FROM sessions_by_month WHERE sid = m.sid AND ${monthsOf('m')} AND m.finished_at IS NOT NULL
               UNION ALL SELECT * FROM sessions_by_month WHERE sid = m.sid AND ${monthsOf('m')} AND left_at IS NULL AND m.finished_at IS NULL
               UNION ALL SELECT * FROM sessions_by_month
                          WHERE sid = m.sid AND ${monthsOf('m')} AND left_at > t.through AND m.finished_at IS NULL) sessions) s`,
);

/** A due meter. `through`: usage is charged only up to this time. */
export type LockedMeter = RowOf<typeof lockDue>;

/** A reading, with the values that posting needs. */
export type DueMeter = RowOf<typeof read>;

/** A meter's position in the order of its organization's unsettled meters. */
export type MeterKey = Pick<RowOf<typeof lockUnsettled>, 'startedAt' | 'sid'>;

@Injectable()
export class DueMetersRepository {
  /**
   * Locks due meters of many organizations, at most `limit` of each. Skips meters that another transaction has locked. `tx` must hold the locks of
   * the plans: `lockPlans` also makes it plan this statement for any time.
   */
  async lockDue(
    tx: Transaction,
    organizations: readonly { organizationId: string; through: Date | null }[],
    now: Date,
    limit: number,
  ): Promise<LockedMeter[]> {
    const locked = await tx.run(lockDue, ...arraysOf(organizations, 'organizationId', 'through'), now, limit);
    for (const { trace } of locked) linkTo(trace);
    return locked;
  }

  /**
   * Locks and reads unsettled meters of one organization that began before `through`, from `after` on. `next` is where to continue, if
   * there may be more. Unlike `lockDue`, it waits for locked meters, because the end of a cycle applies to all of them.
   */
  async lockAndReadUnsettled(
    tx: Transaction,
    organizationId: string,
    through: Date,
    after: MeterKey | undefined,
  ): Promise<{ readings: DueMeter[]; next: MeterKey | undefined }> {
    const locked = await tx.run(lockUnsettled, organizationId, through, after?.startedAt ?? '-infinity', after?.sid ?? '');
    const meters = locked.map(({ sid }) => ({ sid, through }));
    return { readings: await this.read(tx, meters), next: locked.length === METERS_PER_TRANSACTION ? locked.at(-1) : undefined };
  }

  /**
   * Counts whole seconds of the sessions: closed ones to their end, open ones to their last verified time, and none past `through` (null:
   * no limit). A live room's closed sessions are already summed; the part after `through` is subtracted. A finished room's sessions are
   * read one by one, so that its last charge depends on no stored sum.
   *
   * This is a separate statement after the locking one: that one's snapshot may be older than its locks, so it would miss what a concurrent
   * transaction committed in between.
   */
  async read(tx: Transaction, locked: readonly { sid: string; through: Date | null }[]): Promise<DueMeter[]> {
    return locked.length === 0 ? [] : tx.run(read, ...arraysOf(locked, 'sid', 'through'));
  }
}

/** The share of 100 percent is published once for each budget that asks for more than a warning: the room service then does what it says. */
const add = sql(
  'budget-warnings.add',
  `WITH added AS (
     INSERT INTO budget_warnings AS known (organization_id, sid, percent, reached_at, budget_version)
     SELECT m.organization_id, m.sid, percent.percent, $2, m.budget_version
       FROM room_meters m CROSS JOIN unnest($3::int2[]) AS percent
      WHERE m.sid = ANY($1) AND m.charged_credits * 100 >= (m.budget->>'maxCredits')::int8 * percent.percent
        AND NOT EXISTS (SELECT FROM budget_warnings w WHERE w.organization_id = m.organization_id AND w.sid = m.sid AND w.percent = percent.percent
                          AND (w.percent < 100 OR w.budget_version >= m.budget_version OR m.budget->>'onReached' = 'warn'))
     ON CONFLICT (organization_id, sid, percent) DO UPDATE SET budget_version = excluded.budget_version, is_repeated = true
      WHERE known.percent = 100 AND known.budget_version < excluded.budget_version
     RETURNING sid, percent, budget_version, is_repeated)
   SELECT m.organization_id AS "organizationId", m.sid, m.room_id AS "roomId", percent, m.charged_credits AS credits, m.budget,
          added.budget_version AS "budgetVersion", is_repeated AS "isRepeated"
     FROM added JOIN room_meters m USING (sid) ORDER BY sid, percent`,
);

const forgetNotReached = sql(
  'budget-warnings.forgetNotReached',
  `DELETE FROM budget_warnings w USING room_meters m
    WHERE m.sid = ANY($1::text[]) AND w.organization_id = m.organization_id AND w.sid = m.sid AND w.budget_version < m.budget_version
      AND (m.budget IS NULL OR m.charged_credits * 100 < (m.budget->>'maxCredits')::int8 * w.percent)`,
);

export type BudgetWarning = RowOf<typeof add>;

@Injectable()
export class BudgetWarningsRepository {
  /** Adds the shares of their budgets that the rooms have reached. The meters must be locked by `tx`. @returns those that are new */
  add(tx: Transaction, sids: readonly string[], now: Date): Promise<BudgetWarning[]> {
    return tx.run(add, sids, now, BUDGET_PERCENTS);
  }

  /** Forgets the shares that the charges have not reached by the rooms' changed budgets. The meters must be locked by `tx`. */
  async forgetNotReached(tx: Transaction, sids: readonly string[]): Promise<void> {
    await tx.run(forgetNotReached, sids);
  }
}
