import type { JetStreamClient } from '@nats-io/jetstream';
import { Inject, Injectable } from '@nestjs/common';
import { OPTIONAL_CONSUMERS, type EventData, type EventEnvelope, type participantConnection } from '@classroom/contracts';
import { ConsumesBatch, JETSTREAM, waitUntilRead, type Delivery } from '@classroom/messaging';
import { InBackground, Loop } from '@classroom/platform';
import { ClickhouseSessionsRepository } from './clickhouse-sessions.repository.js';
import { toClickhouseSession } from './clickhouse.js';
import { BackfillRepository, StaleCopiesRepository } from './copies.repository.js';

type Connection = EventEnvelope<EventData<typeof participantConnection>>;

/**
 * Copies sessions to ClickHouse, from the facts that billing folds and from the connections that billing fetched for missing facts. The
 * version of a row makes a repeated or late fact harmless, so it needs no row in the inbox.
 */
@Injectable()
export class CopySessions {
  constructor(private readonly sessions: ClickhouseSessionsRepository) {}

  /** @throws AppError SERVICE_UNAVAILABLE: the facts wait in JetStream */
  @ConsumesBatch<Connection>(OPTIONAL_CONSUMERS.billingReports, { concurrency: 1, batchSize: 2_048, keyOf: ({ subject }) => subject })
  async execute(facts: readonly Delivery<Connection>[]): Promise<void> {
    await this.sessions.insert(facts.map(({ body }) => toClickhouseSession(body.data)));
  }
}

const INTERVAL_MS = 5_000;
/** Classes of one run: ClickHouse rewrites the parts that contain their rows. */
const BATCH = 50;

/**
 * Replaces sessions in ClickHouse that retention or an erasure has changed in Postgres: deletes those of the class and copies them again. It first
 * waits until the facts from before are copied, because one that is copied later would add the person again, as another row. Safe to repeat: after a
 * crash in between, the next run does both.
 */
@Injectable()
export class ReplaceCopies {
  @InBackground() private readonly loop = new Loop('stale-copies', INTERVAL_MS, () => this.run());

  constructor(
    private readonly stale: StaleCopiesRepository,
    private readonly source: BackfillRepository,
    private readonly target: ClickhouseSessionsRepository,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE: the next run repeats it */
  private async run(): Promise<void> {
    for (;;) {
      const copies = await this.stale.find(BATCH);
      if (copies.length === 0 || !(await waitUntilRead(this.jetstream, OPTIONAL_CONSUMERS.billingReports))) return;
      await this.target.delete(copies);
      const rows = await this.source.readSessionsOf(copies.map(({ sid }) => sid));
      if (rows.length > 0) await this.target.insert(rows);
      await this.stale.remove(copies);
    }
  }
}

/** Copies the sessions of Postgres to ClickHouse in the order of their connection sids. Safe to repeat, and to run while workers copy facts. */
export class BackfillSessions {
  constructor(
    private readonly source: BackfillRepository,
    private readonly target: Pick<ClickhouseSessionsRepository, 'insert'>,
  ) {}

  /**
   * @param after the connection sid after which to continue; empty for all sessions
   * @returns after each chunk the number of sessions copied so far, and the last connection sid
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async *run(after = ''): AsyncGenerator<{ copied: number; last: string }> {
    let last: string | undefined = after;
    for (let copied = 0; last !== undefined;) {
      const rows = await this.source.readSessions(last);
      last = rows.at(-1)?.connection_sid;
      if (last === undefined) return;
      await this.target.insert(rows);
      copied += rows.length;
      yield { copied, last };
    }
  }
}
