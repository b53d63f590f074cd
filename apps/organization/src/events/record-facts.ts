import { Injectable } from '@nestjs/common';
import { CONSUMERS, type EventEnvelope } from '@classroom/contracts';
import { ConsumesBatch, type AcceptNew, type Delivery } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { failpoint } from '@classroom/platform';
import { PublicEventPublisher } from './public-event-publisher.js';
import { toPublicEvents } from '../history/to-public-events.js';

type Fact = EventEnvelope<{ organizationId?: string }>;

/** Batches processed in parallel; their organizations differ. */
const CONCURRENCY = 2;
const BATCH_SIZE = 256;

/** Turns facts into events and deliveries, in one transaction with their inbox rows. */
@Injectable()
export class RecordFacts {
  constructor(
    private readonly database: Database,
    private readonly publisher: PublicEventPublisher,
  ) {}

  @ConsumesBatch<Fact>(CONSUMERS.organizationFacts, {
    concurrency: CONCURRENCY,
    batchSize: BATCH_SIZE,
    keyOf: ({ data, subject }) => data.organizationId ?? subject,
  })
  async execute(facts: readonly Delivery<EventEnvelope>[], acceptNew: AcceptNew): Promise<void> {
    const events = facts.flatMap(({ body, traceparent }) => {
      const { organizationId = '' } = body.data as { organizationId?: string };
      return toPublicEvents(body).map((event) => ({ ...event, organizationId, occurred: new Date(body.time), traceparent }));
    });
    if (events.length === 0) return;
    await failpoint('organization.facts.before-transaction');
    await this.database.transaction(async (tx) => {
      await this.publisher.publish(tx, await acceptNew(tx, events, ({ once }) => once));
      await failpoint('organization.facts.before-commit');
    });
    await failpoint('organization.facts.after-commit');
  }
}
