import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError, type ErrorCode } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from './endpoint.js';
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
    const error = toAppError(thrown, request);
    if (error instanceof AppError && error.code === 'METHOD_NOT_ALLOWED') reply.header('allow', methodsOf(request.url).join(', '));
    sendError(request, reply, error);
  }
}

function toAppError(thrown: unknown, request: FastifyRequest): unknown {
  const status = thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: number }).statusCode;
  const code = status === undefined ? undefined : CODES[status];
  if (thrown instanceof AppError || !code) return thrown;
  if (code === 'NOT_FOUND' && methodsOf(request.url).length > 0) return new AppError('METHOD_NOT_ALLOWED', { cause: thrown });
  // The parser's words name what is wrong with the JSON; for the rest ours are clearer.
  const message = code === 'VALIDATION_FAILED' && thrown instanceof Error ? thrown.message : undefined;
  return new AppError(code, { ...(message ? { message } : {}), cause: thrown });
}

/** Methods that some endpoint serves at this address. */
function methodsOf(url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return endpoints.filter((endpoint) => patternOf(endpoint.path).test(path)).map(({ method }) => method);
}

const patterns = new Map<string, RegExp>();
function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (!pattern) {
    pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}
