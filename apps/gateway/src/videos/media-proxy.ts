import type { IncomingHttpHeaders } from 'node:http';
import fastifyProxy from '@fastify/http-proxy';
import { AppError } from '@classroom/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../http/envelope.js';
import { toAppError } from '@classroom/http';
import { ProxiedCalls } from './proxied-calls.js';

export const UPLOADS = '/uploads';
const PLAYBACK = '/v';
/** A process that ends closes its kept connections, just when something may be on its way over one. */
const MOST_AGAIN = 2;
const AGAIN_AFTER_MS = 1;

/**
 * Uploads and playback at the gateway's own address, for a machine where the media service has none: bodies pass both ways
 * as they come. A real deployment sends them to the service itself, or to a CDN in front of it.
 */
export async function registerMediaProxy(fastify: FastifyInstance, upstream: string): Promise<void> {
  const calls = new ProxiedCalls(upstream);
  await fastify.register(async (scope) => {
    // The proxy brings its own, which read nothing.
    scope.removeAllContentTypeParsers();
    // The proxy refuses paths with dots by an answer of its own.
    scope.setErrorHandler((error, request, reply) => sendError(request, reply, toAppError(error)));
    scope.addHook('onResponse', (request, reply, done) => {
      calls.end(request, reply.statusCode);
      done();
    });
    for (const prefix of [UPLOADS, PLAYBACK]) {
      await scope.register(fastifyProxy, {
        upstream,
        prefix,
        rewritePrefix: prefix,
        disableRequestLogging: true,
        http: { requestOptions: { timeout: 0 } },
        replyOptions: {
          rewriteRequestHeaders: (request, headers) => calls.begin(request as FastifyRequest, headers),
          rewriteHeaders: withoutItsConnection,
          onError: (reply, { error }) => refuse(reply as FastifyReply, error),
          // Anything else whoever asked is told that it may try again, and decides.
          retryDelay: ({ err, req, attempt }) => (isUnanswered(req.method, err) && attempt < MOST_AGAIN ? AGAIN_AFTER_MS : null),
        },
      });
    }
  });
}

/** The way to the service is kept though a client wants its own closed, which Node sees to; but a service that hangs up says so. */
function withoutItsConnection({ connection, 'keep-alive': _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return connection === 'close' ? { ...headers, connection } : headers;
}

/** Without a body, closed before any answer: asking again has no effect that was not wanted. */
const isUnanswered = (method: string | undefined, error: Error | null) =>
  (method === 'GET' || method === 'HEAD') && (error as NodeJS.ErrnoException | null)?.code === 'ECONNRESET';

function refuse(reply: FastifyReply, cause: Error): void {
  // Nobody reads the rest of a body any more: what its client sent next on this connection would wait behind it.
  if (!reply.request.raw.complete) reply.header('connection', 'close');
  sendError(reply.request, reply, new AppError('SERVICE_UNAVAILABLE', { cause }));
}
