import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type EventData, type EventEnvelope, type usageRecorded } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { ChargeAiUsage } from './charge-ai-usage.js';

const CONCURRENCY = 4;

@Injectable()
export class AiUsageEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, charge: ChargeAiUsage) {
    background.add(
      new DurableConsumer<EventEnvelope<EventData<typeof usageRecorded>>>(jetstream, {
        declaration: CONSUMERS.billingAiUsage,
        concurrency: CONCURRENCY,
        keyOf: ({ subject }) => subject,
        handle: (event) => charge.execute(event),
      }),
    );
  }
}
