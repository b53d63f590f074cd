import { randomUUID } from 'node:crypto';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AppError } from '@classroom/contracts';
import { durationHistogram, extractTrace, logger, SpanKind, startSpan } from '@classroom/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../authentication/authentication.js';
import type { ClassroomCors } from './cors.js';
import type { Drain } from './drain.js';
import { sendError } from './envelope.js';
import type { ReplyCache } from './reply-cache.js';
import { endpointOf, type Exchange } from './exchange.js';
import { unserved } from './unserved.js';

const duration = durationHistogram('http.server.request.duration', 'Requests, by route, method and status');
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * What happens to every request around its handler, in the contract's order: route → authentication → rate limit → body →
 * handler. It hangs on Fastify's hooks rather than Nest's guards because those run after the body was parsed.
 */
export function registerLifecycle(
  fastify: FastifyInstance,
  { authentication, cors, drain, replies }: { authentication: Authentication; cors: ClassroomCors; drain: Drain; replies: ReplyCache },
): void {
  fastify.decorateRequest('exchange');
  const authenticate = (request: FastifyRequest, reply: FastifyReply, exchange: Exchange, done: () => void): void => {
    const proceed = () => context.with(exchange.context, done);
    const refuse = (error: unknown) => void sendError(request, reply, error);
    // Before anything of a body is read.
    if (request.is404) return refuse(unserved(request, reply));
    if (!exchange.endpoint) return proceed();
    context.with(exchange.context, () => {
      try {
        const outcome = authentication.authenticate(request, reply);
        if (outcome instanceof Promise) outcome.then(proceed, refuse);
        else proceed();
      } catch (error) {
        refuse(error);
      }
    });
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const exchange = begin(request, reply);
    const goOn = (isAnswered: boolean) => (isAnswered ? undefined : authenticate(request, reply, exchange, done));
    const answered = cors.answer(request, reply);
    if (answered instanceof Promise) void answered.then(goOn);
    else goOn(answered);
  });
  // Reading the body leaves the request's asynchronous context: it is entered again.
  fastify.addHook('preHandler', (request, reply, done) => {
    context.with(request.exchange.context, () => {
      if (!replies.concerns(request)) return done();
      replies.before(request, reply).then(
        (isAnswered) => (isAnswered ? undefined : done()),
        (error: unknown) => void sendError(request, reply, error),
      );
      return undefined;
    });
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    drain.mark(reply);
    replies.after(request, reply, payload);
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    endExchange(request, reply);
    done();
  });
}

function begin(request: FastifyRequest, reply: FastifyReply): Exchange {
  const endpoint = endpointOf(request);
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
  const route = endpoint?.path ?? (request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'));
  const parent = extractTrace(request.headers);
  const span = startSpan(`${request.method} ${route}`, SpanKind.SERVER, parent, {
    'http.request.method': request.method,
    'http.route': route,
    'request.id': requestId,
  });
  const exchange: Exchange = {
    requestId,
    startedAt: performance.now(),
    endpoint,
    span,
    context: trace.setSpan(parent, span),
    caller: { kind: 'none' },
  };
  request.exchange = exchange;
  reply.header('x-request-id', requestId);
  reply.header('x-trace-id', span.spanContext().traceId);
  return exchange;
}

/** Once the answer was sent, or has nobody left to be sent to. */
export function endExchange(request: FastifyRequest, reply: FastifyReply): void {
  const { exchange } = request;
  if (!exchange || exchange.isEnded) return;
  exchange.isEnded = true;
  const { span, endpoint, startedAt, requestId } = exchange;
  const status = reply.statusCode;
  const route = endpoint?.path ?? 'other';
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  const seconds = (performance.now() - startedAt) / 1000;
  duration.record(seconds, { 'http.route': route, 'http.request.method': request.method, 'http.response.status_code': status });
  if (status >= 500) logger.warn({ requestId, route, status, seconds, trace_id: span.spanContext().traceId }, 'request failed');
}

/** Addresses that never reached a route: a malformed URL. */
export function answerMalformedUrl(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  begin(request, reply);
  sendError(request, reply, new AppError('VALIDATION_FAILED', { message: 'The URL is malformed', cause: error }));
  endExchange(request, reply);
}
