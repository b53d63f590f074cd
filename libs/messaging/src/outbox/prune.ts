import { Inject, Injectable } from '@nestjs/common';
import { CONSUMERS, STREAMS, type ConsumerDeclaration, largestOf } from '@classroom/contracts';
import { Clock, InBackground, Loop, observedGauge, type Task } from '@classroom/platform';
import { Database } from '@classroom/persistence/sql';
import { deleteReceivedMessages, oldestReceivedAt } from './inbox.repository.js';
import { deletePublishedFacts, oldestPublishedAt } from './outbox.repository.js';

const PRUNE_EVERY_MS = 60_000;
/** Rows per statement: it takes a few tens of milliseconds, so that a deletion never blocks the transactions around it. */
const LIMIT = 5_000;
const DAY_MS = 86_400_000;
/** Published facts are kept for one hour, so that an operator can read the latest and publish them again after a restore. */
const KEEP_PUBLISHED_MS = 3_600_000;

/**
 * How long a consumer remembers a message, in milliseconds. A replayed dead letter is delivered again to every consumer of its
 * subject, and it may have waited in the DLQ stream for as long as that stream keeps it. The subjects of LIVEKIT have one
 * consumer each: what that consumer gave up, it has not applied.
 */
const keepInboxMs = ({ stream }: ConsumerDeclaration) =>
  stream === STREAMS.LIVEKIT.name ? (STREAMS.LIVEKIT.maxAgeDays + 1) * DAY_MS : (STREAMS.DLQ.maxAgeDays + 5) * DAY_MS;

/** Once a minute, deletes the rows of outbox and inbox that exceed their age. Several processes share the work. */
@Injectable()
@InBackground('any')
export class Prune implements Task {
  private readonly loop = new Loop('messaging-prune', PRUNE_EVERY_MS, () => this.run());
  private stopped = false;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    observedGauge('classroom_prune_overdue_seconds', 'By how much the oldest row of outbox or inbox exceeds its age', async () => [
      { value: await this.overdueOutbox(), attributes: { table: 'outbox' } },
      { value: await this.overdueInbox(), attributes: { table: 'inbox' } },
    ]);
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.loop.stop();
  }

  async run(): Promise<void> {
    await this.whileFull(() => deletePublishedFacts(this.database, this.ago(KEEP_PUBLISHED_MS), LIMIT));
    for (const consumer of Object.values(CONSUMERS)) {
      await this.whileFull(() => deleteReceivedMessages(this.database, consumer.durable, this.ago(keepInboxMs(consumer)), LIMIT));
    }
  }

  private async whileFull(deleteSome: () => Promise<number>): Promise<void> {
    while (!this.stopped && (await deleteSome()) === LIMIT);
  }

  private ago(ms: number): Date {
    return new Date(this.clock.wall().getTime() - ms);
  }

  private async overdueOutbox(): Promise<number> {
    return secondsBefore(this.ago(KEEP_PUBLISHED_MS), await oldestPublishedAt(this.database));
  }

  private async overdueInbox(): Promise<number> {
    const consumers = Object.values(CONSUMERS);
    const oldest = await oldestReceivedAt(
      this.database,
      consumers.map(({ durable }) => durable),
    );
    return largestOf(consumers.map((consumer, index) => secondsBefore(this.ago(keepInboxMs(consumer)), oldest[index] ?? null)));
  }
}

/** How many seconds `at` is before `limit`; 0 if it is not. */
const secondsBefore = (limit: Date, at: Date | null) => (at === null ? 0 : Math.max(0, limit.getTime() - at.getTime()) / 1000);
