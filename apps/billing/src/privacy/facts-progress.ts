import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, OPTIONAL_CONSUMERS } from '@classroom/contracts';
import { isReadThrough, JETSTREAM } from '@classroom/messaging';
import { StaleCopiesRepository } from '../reports/stale-copies.repository.js';

/** How far this service has read the facts of the others, into Postgres and, where it is used, into ClickHouse. */
@Injectable()
export class FactsProgress {
  constructor(
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
    private readonly stale: StaleCopiesRepository,
  ) {}

  /** Whether every fact up to this number is in this service's rows, or does not concern it. */
  async areReadThrough(sequence: number): Promise<boolean> {
    const { billingFold, billingAiUsage } = CONSUMERS;
    const consumers = [billingFold, billingAiUsage, ...(this.stale.isCopied ? [OPTIONAL_CONSUMERS.billingReports] : [])];
    const areRead = await Promise.all(consumers.map((consumer) => isReadThrough(this.jetstream, consumer, sequence)));
    return !areRead.includes(false);
  }
}
