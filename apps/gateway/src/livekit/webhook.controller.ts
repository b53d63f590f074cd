import { Controller, Headers, Inject, Req } from '@nestjs/common';
import { headers } from '@nats-io/transport-node';
import type { JetStreamClient } from '@nats-io/jetstream';
import { AppError, liveKitSubject, receiveLiveKitWebhook } from '@classroom/contracts';
import { JETSTREAM } from '@classroom/messaging';
import { annotate, CONFIG, injectTrace, inSpan, SpanKind } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import { WebhookReceiver, type WebhookEvent } from 'livekit-server-sdk';
import type { GatewayConfig } from '../config.js';
import { Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

const PUBLISH_TIMEOUT_MS = 2_000;

/**
 * LiveKit's webhooks: verified, stored, then 200. What could not be stored is a 5xx, so that LiveKit tries again; it never
 * does after a 4xx.
 */
@Controller()
export class WebhookController {
  private readonly receiver: WebhookReceiver;

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
  ) {
    this.receiver = new WebhookReceiver(config.LIVEKIT_API_KEY, config.LIVEKIT_API_SECRET);
  }

  @Endpoint(receiveLiveKitWebhook)
  async receive(@Req() { body }: FastifyRequest, @Headers('authorization') authorization: string | undefined) {
    if (typeof body !== 'string' || !authorization) throw new AppError('UNAUTHORIZED');
    const event = await this.verify(body, authorization);
    annotate({ 'room.sid': event.room?.name ?? '', 'livekit.event': event.event });
    await this.store(event, body);
    return success({ received: true });
  }

  private async verify(body: string, authorization: string): Promise<WebhookEvent> {
    try {
      return await this.receiver.receive(body, authorization);
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }

  private async store(event: WebhookEvent, body: string): Promise<void> {
    const roomName = event.room?.name ?? event.egressInfo?.roomName ?? '';
    const subject = liveKitSubject(event.event, roomName);
    const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': 'LIVEKIT', 'messaging.operation.type': 'send' };
    await inSpan('send LIVEKIT', { kind: SpanKind.PRODUCER, attributes }, async () => {
      const sent = headers();
      for (const [key, value] of Object.entries(injectTrace())) sent.set(key, value);
      await this.jetstream.publish(subject, body, { msgID: event.id, headers: sent, timeout: PUBLISH_TIMEOUT_MS });
    }).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
  }
}
