import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { ApplyWebhook, type WebhookEvent } from './apply-webhook.js';

/** Rooms worked on side by side; within one, webhooks are taken in the order they came. */
const CONCURRENCY = 8;

@Injectable()
export class LiveKitEvents implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumer: DurableConsumer;

  constructor(
    @Inject(JETSTREAM) jetstream: JetStreamClient,
    @Inject(CONFIG) private readonly config: RoomConfig,
    applyWebhook: ApplyWebhook,
  ) {
    this.consumer = new DurableConsumer(jetstream, {
      declaration: CONSUMERS.roomPresence,
      concurrency: CONCURRENCY,
      keyOf: (_, body) => (body as WebhookEvent | undefined)?.room?.name ?? '',
      handle: ({ body }) => applyWebhook.execute(body as WebhookEvent),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.ROLES.includes('worker')) this.consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.stop();
  }
}
