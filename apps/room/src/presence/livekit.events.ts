import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS } from '@classroom/contracts';
import { DurableConsumer, JETSTREAM } from '@classroom/messaging';
import { Background } from '@classroom/platform';
import { ApplyWebhook, type WebhookEvent } from './apply-webhook.js';

/** Rooms worked on side by side; within one, webhooks are taken in the order they came. */
const CONCURRENCY = 8;

@Injectable()
export class LiveKitEvents {
  constructor(background: Background, @Inject(JETSTREAM) jetstream: JetStreamClient, applyWebhook: ApplyWebhook) {
    background.add(
      new DurableConsumer<WebhookEvent>(jetstream, {
        declaration: CONSUMERS.roomPresence,
        concurrency: CONCURRENCY,
        keyOf: (webhook) => webhook.room?.name ?? '',
        handle: (webhook) => applyWebhook.execute(webhook),
      }),
    );
  }
}
