import { Injectable } from '@nestjs/common';
import { CONSUMERS, type EventEnvelope } from '@classroom/contracts';
import { acceptOnce } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { Announcer } from './announcer.js';
import { toPublicEvents, type Derived } from '../history/to-public-events.js';

/** A fact becomes events and deliveries: inbox and both in one transaction. */
@Injectable()
export class RecordFact {
  constructor(
    private readonly database: Database,
    private readonly announcer: Announcer,
    private readonly clock: Clock,
  ) {}

  async execute(fact: EventEnvelope): Promise<void> {
    const derived = toPublicEvents(fact);
    if (derived.length === 0) return;
    const { organizationId } = fact.data as { organizationId: string };
    await failpoint('organization.facts.before-transaction');
    await this.database.transaction(async (tx) => {
      const events = await this.unsaid(tx, derived);
      await this.announcer.announce(tx, organizationId, events, new Date(fact.time));
      await failpoint('organization.facts.before-commit');
    });
    await failpoint('organization.facts.after-commit');
  }

  private async unsaid(tx: Transaction, derived: readonly Derived[]): Promise<Derived[]> {
    const unsaid: Derived[] = [];
    for (const event of derived) {
      if (await acceptOnce(tx, CONSUMERS.organizationFacts.durable, event.once, this.clock.wall())) unsaid.push(event);
    }
    return unsaid;
  }
}
