import { randomUUID } from 'node:crypto';
import { propagation, ROOT_CONTEXT, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import { durationHistogram, linkTo, logger, SpanKind, startSpan } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

const duration = durationHistogram('http.server.request.duration', 'Requests, by route, method and status');
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The state of one request from its first byte to its last. An app that adds fields declares the type of `request.requestContext`. */
export interface RequestContext {
  requestId: string;
  /** The pattern of the path. Never the path itself, which may contain a secret. */
  route: string;
  startedAt: number;
  span: Span;
  context: Context;
  isEnded?: true;
}

/** The request's requestContext; undefined before `beginRequest`. */
export const requestContextOf = (request: FastifyRequest) => (request as unknown as { requestContext?: RequestContext }).requestContext;

/** The route pattern that Fastify matched, or `unknown`. */
export const routeOf = (request: FastifyRequest) => (request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'));

/**
 * Sets `request.requestContext` and starts the request's span. The request id and trace id are also set as headers of the answer, and that browsers
 * must not guess its type.
 * The trace of the caller is only linked: a caller decides neither which requests are sampled nor in which trace they appear. A proxy that we trust passes
 * the headers of any caller on. `isOurs`: the gateway passed the request on, and its trace continues.
 */
export function beginRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { route = routeOf(request), isOurs = false }: { route?: string; isOurs?: boolean } = {},
): RequestContext {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
  const parent = isOurs ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT;
  const span = startSpan(`${request.method} ${route}`, SpanKind.SERVER, parent, {
    'http.request.method': request.method,
    'http.route': route,
    'request.id': requestId,
  });
  const { traceparent } = request.headers;
  if (!isOurs && typeof traceparent === 'string') linkTo(traceparent, span);
  reply.header('x-request-id', requestId);
  reply.header('x-trace-id', span.spanContext().traceId);
  reply.header('x-content-type-options', 'nosniff');
  const requestContext = { requestId, route, startedAt: performance.now(), span, context: trace.setSpan(ROOT_CONTEXT, span) };
  Object.assign(request, { requestContext });
  return requestContext;
}

/** Ends the span and records the request, when the answer was sent or its connection is closed. */
export function endRequest(request: FastifyRequest, reply: FastifyReply): void {
  const requestContext = requestContextOf(request);
  if (!requestContext || requestContext.isEnded) return;
  requestContext.isEnded = true;
  const { span, startedAt, requestId, route } = requestContext;
  // A handler that took over the socket has set the status there.
  const { statusCode: status } = reply.raw.headersSent ? reply.raw : reply;
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  const seconds = (performance.now() - startedAt) / 1000;
  duration.record(seconds, { 'http.route': route, 'http.request.method': request.method, 'http.response.status_code': status });
  if (status >= 500) logger.warn({ requestId, route, status, seconds, trace_id: span.spanContext().traceId }, 'request failed');
}
