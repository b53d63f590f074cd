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

/** The next deadline between two times, at which an advance stops on its way, so that everything happens in its order. */
const NEXT = `SELECT min(at) AS at FROM (
    SELECT due_at AS at FROM room.rooms WHERE state IN ('created', 'live')
    UNION ALL SELECT schedule_due_at FROM room.rooms WHERE state IN ('created', 'live')
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
