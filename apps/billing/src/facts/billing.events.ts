import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type EventEnvelope } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { FoldEvents } from './fold-events.js';

/** Rooms folded side by side; within one, facts are taken in the order they came. */
const CONCURRENCY = 8;

@Injectable()
export class BillingEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, foldEvents: FoldEvents) {
    background.add(
      new DurableConsumer<EventEnvelope>(jetstream, {
        declaration: CONSUMERS.billingFold,
        concurrency: CONCURRENCY,
        keyOf: ({ subject }) => subject,
        handle: (event) => foldEvents.execute(event),
      }),
    );
  }
}
