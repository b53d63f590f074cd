import { Controller, Headers, Inject, Req } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { AppError, liveKitSubject, receiveLiveKitWebhook } from '@classroom/contracts';
import { JETSTREAM, send } from '@classroom/messaging';
import { annotate, CONFIG } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import { WebhookReceiver, type WebhookEvent } from 'livekit-server-sdk';
import type { GatewayConfig } from '../config.js';
import { Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

/**
 * LiveKit's webhooks: verified, stored, then 200. What could not be stored is a 5xx, so that LiveKit tries again; it never
 * does after a 4xx.
 */
@Controller()
export class WebhookController {
  private readonly receivers: WebhookReceiver[];

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
  ) {
    const keys = [{ key: config.LIVEKIT_API_KEY, secret: config.LIVEKIT_API_SECRET }, ...config.LIVEKIT_OTHER_KEYS];
    this.receivers = keys.map(({ key, secret }) => new WebhookReceiver(key, secret));
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
      return await Promise.any(this.receivers.map((receiver) => receiver.receive(body, authorization)));
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }

  private async store(event: WebhookEvent, body: string): Promise<void> {
    const roomName = event.room?.name ?? event.egressInfo?.roomName ?? '';
    const subject = liveKitSubject(event.event, roomName);
    await send(this.jetstream, { stream: 'LIVEKIT', subject, body, id: event.id }).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
  }
}
