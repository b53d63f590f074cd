import { receiveLiveKitWebhook } from '@classroom/contracts';
import { toAppError } from '@classroom/http';
import type { FastifyInstance } from 'fastify';
import { serve } from '../http/endpoint.js';
import { sendError, success } from '../http/envelope.js';
import type { LiveKitWebhooks } from './livekit-webhooks.js';

const RECEIVED = success({ received: true as const });

/** Serves LiveKit's webhooks by a route of Fastify instead of a controller, because LiveKit sends several of them for each join. */
export async function registerLiveKitWebhooks(fastify: FastifyInstance, webhooks: LiveKitWebhooks): Promise<void> {
  const { path, config } = serve(receiveLiveKitWebhook);
  await fastify.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(request, reply, toAppError(error)));
    scope.post(path, { config }, async ({ body, headers }) => {
      await webhooks.receive(body, headers.authorization);
      return RECEIVED;
    });
  });
}
