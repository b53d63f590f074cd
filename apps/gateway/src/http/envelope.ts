import { AppError, HTTP_STATUS, type ErrorCode } from '@classroom/contracts';
import { logger, recordFailure } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Success<D> {
  success: true;
  message?: string;
  data: D;
}

export const success = <D>(data: D, message?: string): Success<D> =>
  message === undefined ? { success: true, data } : { success: true, message, data };

/** Seconds after which trying again may help. */
const RETRY_AFTER: Partial<Record<ErrorCode, string>> = { SERVICE_UNAVAILABLE: '2', AI_UNAVAILABLE: '2', RECORDER_BUSY: '30' };

/** What a caller is told of a failure: an unknown one is logged once, with its stack, and masked. */
export function knownFailure({ exchange }: FastifyRequest, failure: unknown): AppError {
  const error = failure instanceof AppError ? failure : new AppError('INTERNAL_ERROR', { cause: failure });
  if (!(failure instanceof AppError)) {
    const route = exchange?.endpoint?.operationId;
    logger.error({ err: failure, requestId: exchange?.requestId, route }, 'unknown failure');
  }
  if (exchange) recordFailure(exchange.span, error);
  return error;
}

/** Answers any failure in the envelope. */
export function sendError(request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply {
  const { exchange } = request;
  const error = knownFailure(request, failure);
  const retryAfter = RETRY_AFTER[error.code];
  // LiveKit obeys Retry-After however long, with the room's queue waiting behind: it is left to its own back-off.
  if (retryAfter && exchange?.endpoint?.auth !== 'livekit') reply.header('retry-after', retryAfter);
  return reply
    .code(HTTP_STATUS[error.kind])
    .type('application/json; charset=utf-8')
    .send(errorBodyOf(error, exchange?.requestId));
}

export const errorBodyOf = (error: AppError, requestId: string | undefined) => ({
  success: false,
  message: error.message,
  error: error.code,
  requestId,
  ...(error.details ? { details: error.details } : {}),
});
