import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type EventEnvelope } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { RecordFact } from './record-fact.js';

/** Rooms side by side; within one, facts are taken in the order they came. Those of one organization then wait for its history. */
const CONCURRENCY = 8;

@Injectable()
export class FactsEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, recordFact: RecordFact) {
    background.add(
      new DurableConsumer<EventEnvelope>(jetstream, {
        declaration: CONSUMERS.organizationFacts,
        concurrency: CONCURRENCY,
        keyOf: ({ subject }) => subject,
        handle: (fact) => recordFact.execute(fact),
      }),
    );
  }
}
