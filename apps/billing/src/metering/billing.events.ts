import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, type EventEnvelope } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { FoldEvents } from './fold-events.js';

/** Rooms folded side by side; within one, facts are taken in the order they came. */
const CONCURRENCY = 8;

@Injectable()
export class BillingEvents implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumer: DurableConsumer;

  constructor(
    @Inject(JETSTREAM) jetstream: JetStreamClient,
    @Inject(CONFIG) private readonly config: BillingConfig,
    foldEvents: FoldEvents,
  ) {
    this.consumer = new DurableConsumer(jetstream, {
      declaration: CONSUMERS.billingFold,
      concurrency: CONCURRENCY,
      keyOf: (_, body) => (body as EventEnvelope | undefined)?.subject ?? '',
      handle: ({ body }) => foldEvents.execute(body as EventEnvelope),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.ROLES.includes('worker')) this.consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.stop();
  }
}
