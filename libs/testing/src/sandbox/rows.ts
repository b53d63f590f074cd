import { BUDGET_PERCENTS, SECONDS_PER_CREDIT } from '@classroom/contracts';
import { Pool } from 'pg';

/** When every account's cycle is closed: billing waits up to 62 s for its last facts (`MAX_CLOSE_DELAY_MS`). */
const CYCLE_CLOSED = `cycle_end + interval '62 seconds'`;

/** Work whose time has come, in one statement per kind: a name, and SQL that counts it at the time `$1`. */
const DUE: Record<string, string> = {
  'classes that end': `SELECT count(*) FROM room.rooms WHERE state IN ('created', 'live') AND due_at <= $1`,
  'steps of a schedule': `SELECT count(*) FROM room.rooms WHERE state IN ('created', 'live') AND schedule_due_at <= $1`,
  charges: 'SELECT count(*) FROM billing.room_meters WHERE due_at <= $1',
  statements: `SELECT count(*) FROM billing.accounts WHERE ${CYCLE_CLOSED} <= $1`,
  'webhook deliveries': `SELECT count(*) FROM organization.webhook_deliveries d JOIN organization.webhook_endpoints e USING (endpoint_id)
    WHERE d.status = 'pending' AND d.due_at <= $1 AND e.is_enabled AND e.deleted_at IS NULL AND (e.held_until IS NULL OR e.held_until <= $1)`,
};

/** Seconds of a class after which it is charged this many credits: each is rounded up. */
const SECONDS_FOR = (credits: string) => `((${credits}) - 1) * ${SECONDS_PER_CREDIT} + 1`;

/**
 * When the people who are in a class now will have used a share of its budget that is not published yet, and the charge after that, which publishes it:
 * without a stop there, an advance would only learn at its end that the class should have ended on the way.
 */
const BUDGETS = `SELECT m.due_at, to_timestamp(ceil((${SECONDS_FOR(`ceil((m.budget->>'maxCredits')::numeric * share.percent / 100)`)} - s.closed + s.joined) / s.open)) AS used_at
    FROM billing.room_meters m CROSS JOIN unnest('{${BUDGET_PERCENTS.join(',')}}'::int[]) AS share(percent)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE left_at IS NULL) AS open, coalesce(sum(extract(epoch FROM joined_at)) FILTER (WHERE left_at IS NULL), 0) AS joined,
             coalesce(sum(extract(epoch FROM left_at - joined_at)), 0) AS closed
        FROM billing.sessions_by_month WHERE sid = m.sid) s
   WHERE m.budget IS NOT NULL AND m.finished_at IS NULL AND s.open > 0
     AND NOT EXISTS (SELECT FROM billing.budget_warnings w WHERE w.sid = m.sid AND w.percent = share.percent AND w.budget_version >= m.budget_version)`;

/** The next deadline between two times, at which an advance stops on its way, so that everything happens in its order. */
const NEXT = `WITH budgets AS (${BUDGETS})
  SELECT min(at) AS at FROM (
    SELECT due_at AS at FROM room.rooms WHERE state IN ('created', 'live')
    UNION ALL SELECT schedule_due_at FROM room.rooms WHERE state IN ('created', 'live')
    UNION ALL SELECT used_at FROM budgets
    UNION ALL SELECT due_at FROM budgets WHERE used_at <= due_at
    UNION ALL SELECT ${CYCLE_CLOSED} FROM billing.accounts) deadlines WHERE at > $1 AND at < $2`;

/** The rows of all services, to see what is left to do. They are only read. */
export class Rows {
  private readonly pool: Pool;
  private outboxes: readonly string[] | undefined;

  constructor(url: string) {
    this.pool = new Pool({ connectionString: url, max: 4 });
  }

  /** What is due at `now` and what is not yet published, such as `webhook deliveries (2)`. */
  async waiting(now: Date): Promise<string[]> {
    const due = Object.entries(DUE).map(([name, sql]) => this.count(name, sql, [now]));
    const unpublished = (await this.findOutboxes()).map((schema) =>
      this.count(`facts of ${schema}`, `SELECT count(*) FROM ${schema}.outbox WHERE published_at IS NULL`, []),
    );
    return (await Promise.all([...due, ...unpublished])).flat();
  }

  async nextDeadline(after: Date, before: Date): Promise<Date | undefined> {
    const { rows } = await this.pool.query<{ at: Date | null }>(NEXT, [after, before]);
    return rows[0]?.at ?? undefined;
  }

  private async findOutboxes(): Promise<readonly string[]> {
    this.outboxes ??= (
      await this.pool.query<{ schemaname: string }>(`SELECT schemaname FROM pg_tables WHERE tablename = 'outbox'`)
    ).rows.map(({ schemaname }) => schemaname);
    return this.outboxes;
  }

  private async count(name: string, sql: string, parameters: unknown[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ count: string }>(sql, parameters);
    const count = Number(rows[0]?.count ?? 0);
    return count > 0 ? [`${name} (${count})`] : [];
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
