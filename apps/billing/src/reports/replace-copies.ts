import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { OPTIONAL_CONSUMERS } from '@classroom/contracts';
import { JETSTREAM, waitUntilRead } from '@classroom/messaging';
import { InBackground, Loop } from '@classroom/platform';
import { BackfillRepository } from './backfill.repository.js';
import { ClickhouseSessionsRepository } from './clickhouse-sessions.repository.js';
import { StaleCopiesRepository } from './stale-copies.repository.js';

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
