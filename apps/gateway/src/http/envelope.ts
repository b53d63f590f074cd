import { errorsOf, type ErrorCode } from '@classroom/contracts';
import { answerFailure, toAppError, type FailureOptions } from '@classroom/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';

export interface Success<D> {
  success: true;
  message?: string;
  data: D;
}

export const success = <D>(data: D, message?: string): Success<D> =>
  message === undefined ? { success: true, data } : { success: true, message, data };

/** Adds the warnings about a request to its successful answers. */
export function addWarnings(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', ({ requestContext }, _, payload, done) => {
    const { warnings } = requestContext ?? {};
    const isSuccess = warnings !== undefined && (payload as { success?: unknown } | null)?.success === true;
    done(null, isSuccess ? { ...(payload as object), warnings } : payload);
  });
}

/** Errors with which the server itself answers before a handler runs, whether the endpoint declares them or not. */
const TRANSPORT_ERRORS: ReadonlySet<ErrorCode> = new Set(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']);

/** How failures are answered according to the request's contract. */
export function failureOptions({ requestContext }: FastifyRequest): FailureOptions {
  const endpoint = requestContext?.endpoint;
  if (!endpoint) return {};
  return {
    operation: endpoint.operationId,
    isDeclared: (code) => TRANSPORT_ERRORS.has(code) || errorsOf(endpoint).has(code),
    // LiveKit waits for any Retry-After, while the room's webhooks queue behind it. Without one it uses its own back-off.
    hasOwnBackOff: endpoint.auth === 'livekit',
  };
}

/** Answers any failure in the envelope. */
export const sendError = (request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply =>
  answerFailure(request, reply, failure, failureOptions(request));

/** Answers everything that is thrown: our errors, those of Nest and Fastify, and unexpected ones. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), toAppError(thrown));
  }
}
