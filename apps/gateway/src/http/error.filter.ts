import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError, type ErrorCode } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './envelope.js';

const CODES: Record<number, ErrorCode> = {
  400: 'VALIDATION_FAILED',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'VALIDATION_FAILED',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** The last stop of whatever is thrown: our errors, Nest's and Fastify's, and what nobody expected. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    sendError(request, reply, toAppError(thrown));
  }
}

/** What Nest, Fastify and its plugins throw as one of our errors, as far as it is one. */
export function toAppError(thrown: unknown): unknown {
  const status = thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: number }).statusCode;
  const code = status === undefined ? undefined : CODES[status];
  if (thrown instanceof AppError || !code) return thrown;
  // The parser's words name what is wrong with the JSON; for the rest ours are clearer.
  const message = code === 'VALIDATION_FAILED' && thrown instanceof Error ? thrown.message : undefined;
  return new AppError(code, { ...(message ? { message } : {}), cause: thrown });
}
