import { HttpException } from '@nestjs/common';
import { AppError, HTTP_STATUS, type ErrorCode } from '@classroom/contracts';
import { logger, recordFailure } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestContextOf } from './request-context.js';

const CODES: Record<number, ErrorCode> = {
  400: 'VALIDATION_FAILED',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'VALIDATION_FAILED',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};
/** `Retry-After` in seconds, for the errors that a retry may fix. Others state it as the detail `retryAfter`. */
const RETRY_AFTER: Partial<Record<ErrorCode, string>> = { SERVICE_UNAVAILABLE: '2', AI_UNAVAILABLE: '2', RECORDER_BUSY: '30' };

export interface FailureOptions {
  /** The contract's operation id, for the log. */
  operation?: string | undefined;
  /** Whether the endpoint's contract declares this code; an undeclared code becomes INTERNAL_ERROR. */
  isDeclared?: (code: ErrorCode) => boolean;
  /** Omits `Retry-After`. */
  hasOwnBackOff?: boolean;
}

/** The error that a caller gets for a failure. An unknown or undeclared one is logged once, with its stack, and becomes INTERNAL_ERROR. */
export function knownFailure(
  request: FastifyRequest,
  failure: unknown,
  { operation, isDeclared = () => true }: FailureOptions = {},
): AppError {
  const requestContext = requestContextOf(request);
  const isKnown = failure instanceof AppError;
  const error = isKnown && isDeclared(failure.code) ? failure : new AppError('INTERNAL_ERROR', { cause: failure });
  if (error !== failure) {
    logger.error(
      { err: failure, requestId: requestContext?.requestId, route: operation ?? requestContext?.route },
      isKnown ? 'undeclared error' : 'unknown failure',
    );
  }
  if (requestContext) recordFailure(requestContext.span, error);
  return error;
}

/** Answers any failure with the error envelope. */
export function answerFailure(request: FastifyRequest, reply: FastifyReply, failure: unknown, options: FailureOptions = {}): FastifyReply {
  const error = knownFailure(request, failure, options);
  const retryAfter = RETRY_AFTER[error.code] ?? error.details?.find(({ path }) => path === 'retryAfter')?.message;
  if (retryAfter && !options.hasOwnBackOff) reply.header('retry-after', retryAfter);
  return reply
    .code(HTTP_STATUS[error.kind])
    .type('application/json; charset=utf-8')
    .send(errorBodyOf(error, requestContextOf(request)?.requestId));
}

export const errorBodyOf = (error: AppError, requestId: string | undefined) => ({
  success: false,
  message: error.message,
  error: error.code,
  requestId,
  ...(error.details ? { details: error.details } : {}),
});

/** Converts an error of Nest, Fastify or a plugin into one of our errors. An error without an equivalent is returned unchanged. */
export function toAppError(thrown: unknown): unknown {
  const status = thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: number }).statusCode;
  const code = status === undefined ? undefined : CODES[status];
  if (thrown instanceof AppError || !code) return thrown;
  // The parser's message says what is wrong with the JSON. For other codes our own message is clearer.
  const message = code === 'VALIDATION_FAILED' && thrown instanceof Error ? thrown.message : undefined;
  return new AppError(code, { ...(message ? { message } : {}), cause: thrown });
}
