import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, liveKitSubject, receiveLiveKitWebhook } from '@classroom/contracts';
import { GroupedPublisher, StreamPublisher } from '@classroom/messaging';
import { acceptedLiveKitKeys, annotate, CONFIG, currentTraceparent, failpoint, verifyClaims, type IssuerKey } from '@classroom/platform';
import { z } from 'zod';
import { toAppError } from '@classroom/http';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { sendError, serve, success } from '../http/endpoint.js';

/** Milliseconds by which LiveKit's clock may differ from ours. */
const CLOCK_TOLERANCE_MS = 10_000;

/** The part of a webhook that decides where it is stored. Its consumers read the rest. */
const webhook = z.object({
  event: z.string().min(1),
  id: z.string().min(1),
  room: z.object({ name: z.string().default('') }).nullish(),
  egressInfo: z.object({ roomName: z.string().default('') }).nullish(),
});

/** Verifies LiveKit's webhooks and stores them in the stream LIVEKIT. */
@Injectable()
export class LiveKitWebhooks {
  private readonly keys: IssuerKey[];
  private readonly publisher: GroupedPublisher;

  constructor(@Inject(CONFIG) config: GatewayConfig, @Inject(StreamPublisher) publisher: StreamPublisher) {
    this.publisher = new GroupedPublisher(publisher);
    this.keys = acceptedLiveKitKeys(config);
  }

  /**
   * Resolves when the webhook is stored. A failure to store it is a 5xx, because LiveKit then retries; after a 4xx it never does.
   * @throws AppError UNAUTHORIZED, SERVICE_UNAVAILABLE; Error (a 500) if LiveKit signed what we cannot read: the event must not be lost
   */
  async receive(body: unknown, authorization: string | undefined): Promise<void> {
    if (typeof body !== 'string' || !authorization) throw new AppError('UNAUTHORIZED');
    this.verify(body, authorization);
    const { event, id, room, egressInfo } = read(body);
    const roomName = room?.name ?? egressInfo?.roomName ?? '';
    annotate({ 'room.sid': roomName, 'livekit.event': event });
    const message = { stream: 'LIVEKIT', subject: liveKitSubject(event, roomName), body, id, traceparent: currentTraceparent() };
    await this.publisher.publish(message).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    });
    await failpoint('gateway.webhook.after-store');
  }

  private verify(body: string, token: string): void {
    try {
      const { sha256 } = verifyClaims(token, this.keys, { clockTolerance: CLOCK_TOLERANCE_MS });
      if (sha256 !== createHash('sha256').update(body).digest('base64')) throw new Error('signed for another body');
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }
}

function read(body: string): z.infer<typeof webhook> {
  try {
    return webhook.parse(JSON.parse(body));
  } catch (cause) {
    throw new Error('A webhook that LiveKit signed cannot be read', { cause });
  }
}

const RECEIVED = success({ received: true as const });

/** Serves LiveKit's webhooks by a route of Fastify instead of a controller, because LiveKit sends several of them for each join. */
export async function registerLiveKitWebhooks(fastify: FastifyInstance, webhooks: LiveKitWebhooks): Promise<void> {
  const { config } = serve(receiveLiveKitWebhook);
  await fastify.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(request, reply, toAppError(error)));
    scope.post(receiveLiveKitWebhook.path, { config }, async ({ body, headers }) => {
      await webhooks.receive(body, headers.authorization);
      return RECEIVED;
    });
  });
}
