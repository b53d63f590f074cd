import { Injectable } from '@nestjs/common';
import { CONSUMERS, type EventEnvelope } from '@classroom/contracts';
import { Consumes, type AcceptOnce } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { failpoint } from '@classroom/platform';
import { PublicEventPublisher } from './public-event-publisher.js';
import { toPublicEvents, type DerivedEvent } from '../history/to-public-events.js';

type Fact = EventEnvelope<{ organizationId?: string }>;

/** Organizations processed in parallel; each waits only for its own history. */
const CONCURRENCY = 8;

/** Turns a fact into events and deliveries, in one transaction with the inbox row. */
@Injectable()
export class RecordFact {
  constructor(
    private readonly database: Database,
    private readonly publisher: PublicEventPublisher,
  ) {}

  @Consumes<Fact>(CONSUMERS.organizationFacts, { concurrency: CONCURRENCY, keyOf: ({ data, subject }) => data.organizationId ?? subject })
  async execute(fact: EventEnvelope, acceptOnce: AcceptOnce): Promise<void> {
    const derived = toPublicEvents(fact);
    if (derived.length === 0) return;
    const { organizationId } = fact.data as { organizationId: string };
    await failpoint('organization.facts.before-transaction');
    await this.database.transaction(async (tx) => {
      const events: DerivedEvent[] = [];
      for (const event of derived) {
        if (await acceptOnce(tx, event.once)) events.push(event);
      }
      await this.publisher.publish(tx, organizationId, events, new Date(fact.time));
      await failpoint('organization.facts.before-commit');
    });
    await failpoint('organization.facts.after-commit');
  }
}
