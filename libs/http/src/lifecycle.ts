import { context } from '@opentelemetry/api';
import { AppError } from '@classroom/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endExchange, exchangeOf } from './exchange.js';

/** Throws an AppError to refuse a request; true where it has answered the request itself. */
export type Check = (request: FastifyRequest, reply: FastifyReply) => void | boolean | Promise<void | boolean>;

export interface Lifecycle {
  /** Sets `request.exchange`. */
  begin(request: FastifyRequest, reply: FastifyReply): void;
  /** In their order, before a byte of the body is read. */
  beforeBody: readonly Check[];
  /** In their order, once the body is parsed. */
  afterBody?: readonly Check[];
  sendError(request: FastifyRequest, reply: FastifyReply, failure: unknown): unknown;
  /** Sees each answer before it is sent. */
  onAnswer?(request: FastifyRequest, reply: FastifyReply, payload: unknown): void;
}

/**
 * What happens to every request around its handler. It hangs on Fastify's hooks rather than Nest's guards because those run after the body was parsed.
 */
export function registerLifecycle(fastify: FastifyInstance, lifecycle: Lifecycle): void {
  const { beforeBody, afterBody = [], onAnswer } = lifecycle;
  fastify.decorateRequest('exchange');
  fastify.addHook('onRequest', (request, reply, done) => {
    lifecycle.begin(request, reply);
    runChecks(beforeBody, lifecycle, request, reply, done);
  });
  // Reading the body leaves the request's asynchronous context: the checks enter it again.
  fastify.addHook('preHandler', (request, reply, done) => runChecks(afterBody, lifecycle, request, reply, done));
  if (onAnswer) {
    fastify.addHook('onSend', (request, reply, payload, done) => {
      onAnswer(request, reply, payload);
      done(null, payload);
    });
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    endExchange(request, reply);
    done();
  });
}

/** Addresses that never reached a route: a malformed URL. */
export const malformedUrl =
  ({ begin, sendError }: Pick<Lifecycle, 'begin' | 'sendError'>) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    begin(request, reply);
    sendError(request, reply, new AppError('VALIDATION_FAILED', { message: 'The URL is malformed', cause: error }));
    endExchange(request, reply);
  };

/** One after the other within the request's trace, at once where none of them waits, until one refuses or answers. */
function runChecks(
  checks: readonly Check[],
  { sendError }: Lifecycle,
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  const refuse = (error: unknown) => void sendError(request, reply, error);
  const runFrom = (first: number): void => {
    for (let index = first; index < checks.length; index += 1) {
      const outcome = checks[index]?.(request, reply);
      if (outcome instanceof Promise) {
        outcome.then((isAnswered) => (isAnswered ? undefined : within(index + 1)), refuse);
        return;
      }
      if (outcome) return;
    }
    done();
  };
  const within = (first: number): void => {
    const { context: trace } = exchangeOf(request) ?? { context: context.active() };
    context.with(trace, () => {
      try {
        runFrom(first);
      } catch (error) {
        refuse(error);
      }
    });
  };
  within(0);
}
