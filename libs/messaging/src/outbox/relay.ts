import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { Clock, extractTrace, Loop, observedGauges } from '@classroom/platform';
import { Database } from '@classroom/persistence';
import { send } from '../jetstream/send.js';
import { JETSTREAM } from '../tokens.js';

const BATCH = 200;
const POLL_MS = 1_000;
/** One relay a schema at a time; the lock ends with its transaction, so it works behind a transaction pooler too. */
const RELAY_LOCK = 1_190_101;
const KEEP_PUBLISHED_MS = 3_600_000;
const KEEP_INBOX_MS = 35 * 24 * 3_600_000;
const PRUNE_EVERY_MS = 60_000;

/**
 * Moves facts from the outbox to JetStream: woken after a commit, and every second for what another process left. Rows are
 * picked by `published_at IS NULL`, never by a cursor, because commits come out of order. A crash between publishing and
 * marking sends a fact twice, under the same id.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new Loop('outbox-relay', POLL_MS, () => this.run());
  private prunedAt = 0;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    const told = { classroom_outbox_waiting: 'Facts that JetStream has not got yet', classroom_outbox_lag_seconds: 'Age of the oldest of them' };
    observedGauges(told, async () => {
      const { count, seconds } = await this.waiting();
      return [
        { name: 'classroom_outbox_waiting', value: count },
        { name: 'classroom_outbox_lag_seconds', value: seconds },
      ];
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    // What the last requests wrote goes out before we do; where NATS is away the next process sends it.
    await this.run().catch(() => undefined);
  }

  wake(): void {
    this.loop.wake();
  }

  private async waiting(): Promise<{ count: number; seconds: number }> {
    const [row] = await this.database.query<{ count: number; oldest: Date | null }>(
      'SELECT count(*)::int AS count, min(created_at) AS oldest FROM outbox WHERE published_at IS NULL',
    );
    const since = row?.oldest ?? null;
    return { count: row?.count ?? 0, seconds: since === null ? 0 : (this.clock.wall().getTime() - since.getTime()) / 1000 };
  }

  private async run(): Promise<void> {
    while ((await this.relayBatch()) === BATCH);
    await this.prune();
  }

  private relayBatch(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ held: boolean }>(
        `SELECT pg_try_advisory_xact_lock($1, hashtext(current_schema())) AS held`,
        [RELAY_LOCK],
      );
      if (!lock?.held) return 0;
      const rows = await tx.query<{ id: string; subject: string; body: string; trace: string | null }>(
        `SELECT id, subject, body, trace FROM outbox WHERE published_at IS NULL ORDER BY position LIMIT ${BATCH}`,
      );
      if (rows.length === 0) return 0;
      await Promise.all(
        rows.map(({ id, subject, body, trace }) =>
          send(this.jetstream, { stream: 'EVENTS', subject, body, id }, trace ? extractTrace({ traceparent: trace }) : undefined),
        ),
      );
      await tx.query('UPDATE outbox SET published_at = $2 WHERE id = ANY($1::uuid[])', [
        rows.map(({ id }) => id),
        this.clock.wall(),
      ]);
      return rows.length;
    });
  }

  private async prune(): Promise<void> {
    const now = this.clock.wall().getTime();
    if (now - this.prunedAt < PRUNE_EVERY_MS) return;
    this.prunedAt = now;
    await this.database.query(
      `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE published_at < $1 LIMIT 5000)`,
      [new Date(now - KEEP_PUBLISHED_MS)],
    );
    await this.database.query(
      `DELETE FROM inbox WHERE (consumer, message_id) IN (SELECT consumer, message_id FROM inbox WHERE received_at < $1 LIMIT 5000)`,
      [new Date(now - KEEP_INBOX_MS)],
    );
  }
}
