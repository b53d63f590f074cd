import fastifyProxy from '@fastify/http-proxy';
import { AppError } from '@classroom/contracts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendError } from '../http/envelope.js';

export const UPLOADS = '/uploads';
const PLAYBACK = '/v';

/**
 * Uploads and playback at the gateway's own address, for a machine where the media service has none: bodies pass both ways
 * as they come. A real deployment sends them to the service itself, or to a CDN in front of it.
 */
export async function registerMediaProxy(fastify: FastifyInstance, upstream: string): Promise<void> {
  await fastify.register(async (scope) => {
    // The proxy brings its own, which read nothing.
    scope.removeAllContentTypeParsers();
    for (const prefix of [UPLOADS, PLAYBACK]) {
      await scope.register(fastifyProxy, {
        upstream,
        prefix,
        rewritePrefix: prefix,
        disableRequestLogging: true,
        http: { requestOptions: { timeout: 0 } },
        replyOptions: {
          onError: (reply, { error }) => refuse(reply as FastifyReply, error),
          // Whoever asked is told that it may try again, and decides.
          retryDelay: () => null,
        },
      });
    }
  });
}

function refuse(reply: FastifyReply, cause: Error): void {
  // Nobody reads the rest of a body any more: what its client sent next on this connection would wait behind it.
  if (!reply.request.raw.complete) reply.header('connection', 'close');
  sendError(reply.request, reply, new AppError('SERVICE_UNAVAILABLE', { cause }));
}
