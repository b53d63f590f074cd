import type { IncomingHttpHeaders } from 'node:http';
import { trace, type Span } from '@opentelemetry/api';
import { GATEWAY_HEADER } from '@classroom/messaging';
import { injectTrace, peerOf, SpanKind, startSpan } from '@classroom/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastifyProxy from '@fastify/http-proxy';
import { AppError } from '@classroom/contracts';
import { toAppError } from '@classroom/http';
import type { SignedCallers } from '../authentication/authentication.js';
import { sendError } from '../http/endpoint.js';

/** Headers by which a caller would decide what is sampled, and under which trace; and the one that says that we decided. */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage', GATEWAY_HEADER];

/** Requests that are passed on to the media service, each with a span. The service continues the trace and the request's id, and learns the caller's address. */
class ProxiedCalls {
  private readonly spans = new WeakMap<object, Span>();
  private readonly peer;

  /** @param own the gateway's statement about itself: with it, the service continues our trace and no other */
  constructor(
    upstream: string,
    private readonly own: () => string | undefined,
  ) {
    this.peer = { 'peer.service': 'media', ...peerOf(upstream) };
  }

  /** @returns the headers to send. Neither the caller's trace nor what they say of their address is among them: the service trusts what the gateway sends. */
  begin({ raw, ip, method, requestContext }: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const rest = { ...headers };
    for (const name of TRACE_HEADERS) delete rest[name];
    const span = startSpan(method, SpanKind.CLIENT, requestContext.context, { 'http.request.method': method, ...this.peer });
    this.spans.set(raw, span);
    const own = { 'x-request-id': requestContext.requestId, 'x-forwarded-for': ip, [GATEWAY_HEADER]: this.own() };
    return { ...rest, ...own, ...injectTrace(trace.setSpan(requestContext.context, span)) };
  }

  /** Called when the answer was sent, or when its client has disconnected. */
  end({ raw }: FastifyRequest, status: number): void {
    const span = this.spans.get(raw);
    span?.setAttribute('http.response.status_code', status);
    span?.end();
  }
}

export const UPLOADS = '/uploads';
const PLAYBACK = '/v';
/** Retries. A process that exits closes its kept connections, possibly while a request is on its way over one. */
const MAX_RETRIES = 2;
const RETRY_DELAY_MS = 1;

/**
 * Serves uploads and playback at the gateway's address, on a machine where the media service has no address of its own. Bodies are streamed
 * both ways. A real deployment routes these requests to the service itself, or to a CDN in front of it.
 */
export async function registerMediaProxy(fastify: FastifyInstance, upstream: string, callers: Pick<SignedCallers, 'own'>): Promise<void> {
  const calls = new ProxiedCalls(upstream, () => callers.own());
  await fastify.register(async (scope) => {
    // The proxy registers parsers of its own, which read nothing.
    scope.removeAllContentTypeParsers();
    // The proxy rejects paths with dots by an error of its own; this answers it in the envelope.
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
          rewriteHeaders: withoutConnectionHeaders,
          onError: (reply, { error }) => answerUnavailable(reply as FastifyReply, error),
          // After any other failure the client gets an error that it may retry, and decides itself.
          retryDelay: ({ err, req, attempt }) => (isUnanswered(req.method, err) && attempt < MAX_RETRIES ? RETRY_DELAY_MS : null),
        },
      });
    }
  });
}

/** The service's connection header is about its connection to us; Node sets the client's. Only `close` is passed on. */
function withoutConnectionHeaders({ connection, 'keep-alive': _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return connection === 'close' ? { ...headers, connection } : headers;
}

/** A request without a body whose connection closed before any answer: a repetition has no unwanted effect. */
const isUnanswered = (method: string | undefined, error: Error | null) =>
  (method === 'GET' || method === 'HEAD') && (error as NodeJS.ErrnoException | null)?.code === 'ECONNRESET';

function answerUnavailable(reply: FastifyReply, cause: Error): void {
  // The rest of the body is not read: the client's next request on this connection would wait behind it.
  if (!reply.request.raw.complete) reply.header('connection', 'close');
  sendError(reply.request, reply, new AppError('SERVICE_UNAVAILABLE', { cause }));
}
