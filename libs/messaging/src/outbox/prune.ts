import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { CONSUMERS, STREAMS, type ConsumerDeclaration } from '@classroom/contracts';
import { Clock, Loop, observedGauge } from '@classroom/platform';
import { Database } from '@classroom/persistence';

const PRUNE_EVERY_MS = 60_000;
/** Rows of one statement: a few ten milliseconds, so that a deletion never holds up the transactions around it. */
const LIMIT = 5_000;
const DAY_MS = 86_400_000;
/** Published facts stay for an hour, so that an operator can read the last ones and publish them again after a restore. */
const KEEP_PUBLISHED_MS = 3_600_000;

/**
 * How long a consumer remembers a message, in milliseconds. A dead letter that is replayed comes again to every consumer
 * of its subject, and may have waited in the DLQ stream as long as that keeps it. Subjects of LIVEKIT have one consumer
 * each: what that gave up it has not applied.
 */
const keepInboxMs = ({ stream }: ConsumerDeclaration) =>
  stream === STREAMS.LIVEKIT.name ? (STREAMS.LIVEKIT.maxAgeDays + 1) * DAY_MS : (STREAMS.DLQ.maxAgeDays + 5) * DAY_MS;

interface Expiry {
  table: 'outbox' | 'inbox';
  /** Rows received or published before this are of no use. */
  before: Date;
  consumer: string | null;
}

/** Deletes what outbox and inbox need no longer, each minute, until nothing is left to delete. Several processes share the work. */
@Injectable()
export class Prune implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new Loop('messaging-prune', PRUNE_EVERY_MS, () => this.run());
  private stopped = false;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    observedGauge('classroom_prune_overdue_seconds', 'By how much the oldest row of outbox or inbox exceeds its age', async () => [
      { value: await this.overdueSeconds('outbox'), attributes: { table: 'outbox' } },
      { value: await this.overdueSeconds('inbox'), attributes: { table: 'inbox' } },
    ]);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.loop.stop();
  }

  async run(): Promise<void> {
    for (const expiry of this.expiries()) {
      while (!this.stopped && (await this.deleteSome(expiry)) === LIMIT);
    }
  }

  private expiries(): Expiry[] {
    const now = this.clock.wall().getTime();
    return [
      { table: 'outbox', before: new Date(now - KEEP_PUBLISHED_MS), consumer: null },
      ...Object.values(CONSUMERS).map((consumer): Expiry => ({
        table: 'inbox',
        before: new Date(now - keepInboxMs(consumer)),
        consumer: consumer.durable,
      })),
    ];
  }

  /** @returns rows deleted; what another process is deleting is left to it */
  private async deleteSome({ table, before, consumer }: Expiry): Promise<number> {
    const rows =
      table === 'outbox'
        ? await this.database.query(
            `DELETE FROM outbox WHERE ctid = ANY(ARRAY(
               SELECT ctid FROM outbox WHERE published_at < $1 ORDER BY published_at LIMIT ${LIMIT} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
            [before],
          )
        : await this.database.query(
            `DELETE FROM inbox WHERE ctid = ANY(ARRAY(
               SELECT ctid FROM inbox WHERE consumer = $2 AND received_at < $1 ORDER BY received_at LIMIT ${LIMIT} FOR UPDATE SKIP LOCKED)) RETURNING 1`,
            [before, consumer],
          );
    return rows.length;
  }

  private async overdueSeconds(table: Expiry['table']): Promise<number> {
    const expiries = this.expiries().filter((expiry) => expiry.table === table);
    const rows =
      table === 'outbox'
        ? await this.database.query<{ oldest: Date | null }>('SELECT min(published_at) AS oldest FROM outbox WHERE published_at IS NOT NULL')
        : await this.database.query<{ oldest: Date | null }>(
            `SELECT (SELECT min(received_at) FROM inbox WHERE consumer = name) AS oldest
               FROM unnest($1::text[]) WITH ORDINALITY AS c(name, place) ORDER BY place`,
            [expiries.map(({ consumer }) => consumer)],
          );
    const overdue = expiries.map(({ before }, index) => before.getTime() - (rows[index]?.oldest?.getTime() ?? Infinity));
    return Math.max(0, ...overdue) / 1000;
  }
}
