import { context } from '@opentelemetry/api';
import { AppError } from '@classroom/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endRequest, requestContextOf } from './request-context.js';

/** A check of a request. It throws an AppError to refuse the request; it returns true if it has answered the request itself. */
export type Check = (request: FastifyRequest, reply: FastifyReply) => void | boolean | Promise<void | boolean>;

export interface Lifecycle {
  /** Sets `request.requestContext`. */
  begin(request: FastifyRequest, reply: FastifyReply): void;
  /** Run in order, before the body is read. */
  beforeBody: readonly Check[];
  /** Run in order, after the body is parsed. */
  afterBody?: readonly Check[];
  /** Runs the checks after the body and the handler. Default: calls `work`. */
  run?(request: FastifyRequest, work: () => void): void;
  sendError(request: FastifyRequest, reply: FastifyReply, failure: unknown): unknown;
  /** Called with each answer before it is sent. */
  onAnswer?(request: FastifyRequest, reply: FastifyReply, payload: unknown): void;
}

/**
 * Registers what happens to every request around its handler. It uses Fastify's hooks, because Nest's guards run only after the
 * body was parsed.
 */
export function registerLifecycle(fastify: FastifyInstance, lifecycle: Lifecycle): void {
  const { beforeBody, afterBody = [], onAnswer } = lifecycle;
  fastify.decorateRequest('requestContext');
  fastify.addHook('onRequest', (request, reply, done) => {
    lifecycle.begin(request, reply);
    runChecks(beforeBody, lifecycle, request, reply, done);
  });
  // Reading the body leaves the request's asynchronous context, so the checks enter it again.
  const { run = (_, work) => work() } = lifecycle;
  fastify.addHook('preHandler', (request, reply, done) => run(request, () => runChecks(afterBody, lifecycle, request, reply, done)));
  if (onAnswer) {
    fastify.addHook('onSend', (request, reply, payload, done) => {
      onAnswer(request, reply, payload);
      done(null, payload);
    });
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    endRequest(request, reply);
    done();
  });
}

/** Answers requests with a malformed URL, which never reach a route. */
export const malformedUrl =
  ({ begin, sendError }: Pick<Lifecycle, 'begin' | 'sendError'>) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    begin(request, reply);
    sendError(request, reply, new AppError('VALIDATION_FAILED', { message: 'The URL is malformed', cause: error }));
    endRequest(request, reply);
  };

/** Runs the checks in order within the request's trace, until one refuses or answers the request. Synchronous unless a check is asynchronous. */
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
    const { context: trace } = requestContextOf(request) ?? { context: context.active() };
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
