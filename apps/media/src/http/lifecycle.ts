import { randomUUID } from 'node:crypto';
import { context, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import { AppError, HTTP_STATUS, type ErrorCode } from '@classroom/contracts';
import type { AllowedOrigins } from '@classroom/messaging';
import { durationHistogram, extractTrace, logger, recordFailure, SpanKind, startSpan } from '@classroom/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerCors } from './cors.js';

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit;
  }
}

interface Visit {
  requestId: string;
  startedAt: number;
  span: Span;
  context: Context;
}

const duration = durationHistogram('http.server.request.duration', 'Requests, by route, method and status');
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const CODES: Record<number, ErrorCode> = { 400: 'VALIDATION_FAILED', 404: 'NOT_FOUND', 414: 'VALIDATION_FAILED' };

/** What happens to every request around its handler. A route's pattern is told, never the path: that is a key to a video. */
export function registerLifecycle(fastify: FastifyInstance, origins: AllowedOrigins, isDraining: () => boolean): void {
  fastify.decorateRequest('visit');
  fastify.addHook('onRequest', (request, reply, done) => {
    request.visit = begin(request, reply);
    if (isDraining()) reply.header('connection', 'close');
    context.with(request.visit.context, () => {
      answerCors(origins, request, reply).then(
        (isAnswered) => (isAnswered ? undefined : context.with(request.visit.context, done)),
        (error: unknown) => void sendError(request, reply, error),
      );
    });
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    end(request, reply);
    done();
  });
  fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  fastify.setNotFoundHandler((request, reply) => sendError(request, reply, new AppError('NOT_FOUND')));
}

function begin(request: FastifyRequest, reply: FastifyReply): Visit {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
  const parent = extractTrace(request.headers);
  const route = routeOf(request);
  const span = startSpan(`${request.method} ${route}`, SpanKind.SERVER, parent, {
    'http.request.method': request.method,
    'http.route': route,
    'request.id': requestId,
  });
  reply.header('x-request-id', requestId);
  reply.header('x-trace-id', span.spanContext().traceId);
  reply.header('x-content-type-options', 'nosniff');
  // Pages that isolate themselves (COEP) may still show what they have a signed address for.
  reply.header('cross-origin-resource-policy', 'cross-origin');
  return { requestId, startedAt: performance.now(), span, context: trace.setSpan(parent, span) };
}

function end(request: FastifyRequest, reply: FastifyReply): void {
  const { span, startedAt, requestId } = request.visit;
  const status = reply.raw.statusCode;
  const route = routeOf(request);
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  const seconds = (performance.now() - startedAt) / 1000;
  duration.record(seconds, { 'http.route': route, 'http.request.method': request.method, 'http.response.status_code': status });
  if (status >= 500) logger.warn({ requestId, route, status, seconds, trace_id: span.spanContext().traceId }, 'request failed');
}

const routeOf = (request: FastifyRequest) => (request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'));

/** Answers any failure in the envelope; an unknown one is logged once, with its stack, and masked. */
function sendError(request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply {
  const error = toAppError(failure);
  if (!(failure instanceof AppError) && error.kind === 'internal') logger.error({ err: failure, requestId: request.visit.requestId }, 'unknown failure');
  recordFailure(request.visit.span, error);
  if (error.kind === 'unavailable') reply.header('retry-after', '2');
  // Headers of a file that could not be sent are not the failure's.
  for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-range', 'content-length']) reply.removeHeader(name);
  const body = { success: false, message: error.message, error: error.code, requestId: request.visit.requestId };
  return reply.code(HTTP_STATUS[error.kind]).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body);
}

function toAppError(failure: unknown): AppError {
  if (failure instanceof AppError) return failure;
  const code = CODES[(failure as { statusCode?: number }).statusCode ?? 500] ?? 'INTERNAL_ERROR';
  return new AppError(code, { cause: failure });
}

/** Addresses that never reached a route: a malformed URL. */
export function answerMalformedUrl(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  request.visit = begin(request, reply);
  sendError(request, reply, new AppError('VALIDATION_FAILED', { message: 'The URL is malformed', cause: error }));
  end(request, reply);
}
