import { createHash } from 'node:crypto';
import { Controller, Headers, Inject, Req } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { AppError, liveKitSubject, receiveLiveKitWebhook } from '@classroom/contracts';
import { GroupedSender, JETSTREAM } from '@classroom/messaging';
import { annotate, CONFIG, currentTraceparent } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import { TokenVerifier, WebhookEvent } from 'livekit-server-sdk';
import type { GatewayConfig } from '../config.js';
import { Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

/**
 * Receives LiveKit's webhooks: verifies them, stores them, then answers 200. A webhook that could not be stored gets a 5xx, because
 * LiveKit then retries; after a 4xx it never does.
 */
@Controller()
export class WebhookController {
  private readonly verifiers: TokenVerifier[];
  private readonly sender: GroupedSender;

  constructor(@Inject(CONFIG) config: GatewayConfig, @Inject(JETSTREAM) jetstream: JetStreamClient) {
    this.sender = new GroupedSender(jetstream);
    const keys = [{ key: config.LIVEKIT_API_KEY, secret: config.LIVEKIT_API_SECRET }, ...config.LIVEKIT_OTHER_KEYS];
    this.verifiers = keys.map(({ key, secret }) => new TokenVerifier(key, secret));
  }

  @Endpoint(receiveLiveKitWebhook)
  async receiveLiveKitWebhook(@Req() { body }: FastifyRequest, @Headers('authorization') authorization: string | undefined) {
    if (typeof body !== 'string' || !authorization) throw new AppError('UNAUTHORIZED');
    await this.verify(body, authorization);
    const event = read(body);
    annotate({ 'room.sid': event.room?.name ?? '', 'livekit.event': event.event });
    await this.store(event, body);
    return success({ received: true as const });
  }

  private async verify(body: string, authorization: string): Promise<void> {
    const claims = await Promise.any(this.verifiers.map((verifier) => verifier.verify(authorization))).catch((cause: unknown) => {
      throw new AppError('UNAUTHORIZED', { cause });
    });
    if (claims.sha256 !== createHash('sha256').update(body).digest('base64')) throw new AppError('UNAUTHORIZED');
  }

  private async store(event: WebhookEvent, body: string): Promise<void> {
    const roomName = event.room?.name ?? event.egressInfo?.roomName ?? '';
    const subject = liveKitSubject(event.event, roomName);
    await this.sender
      .send({ stream: 'LIVEKIT', subject, body, id: event.id, traceparent: currentTraceparent() })
      .catch((cause: unknown) => {
        throw new AppError('SERVICE_UNAVAILABLE', { cause });
      });
  }
}

/** @throws Error (a 500, logged as an error): if we cannot read what LiveKit signed, the fault is ours and the event must not be lost */
function read(body: string): WebhookEvent {
  try {
    return WebhookEvent.fromJson(JSON.parse(body) as Parameters<typeof WebhookEvent.fromJson>[0], { ignoreUnknownFields: true });
  } catch (cause) {
    throw new Error('A webhook that LiveKit signed cannot be read', { cause });
  }
}
