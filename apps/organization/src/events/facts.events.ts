import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type EventEnvelope } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { RecordFact } from './record-fact.js';

/** Organizations in progress at a time; each waits only for its own history. */
const CONCURRENCY = 8;

@Injectable()
export class FactsEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, recordFact: RecordFact) {
    background.add(
      new DurableConsumer<EventEnvelope<{ organizationId?: string }>>(jetstream, {
        declaration: CONSUMERS.organizationFacts,
        concurrency: CONCURRENCY,
        keyOf: ({ data, subject }) => data.organizationId ?? subject,
        handle: (fact) => recordFact.execute(fact),
      }),
    );
  }
}
