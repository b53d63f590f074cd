import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { toAppError } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './envelope.js';

/** The last stop of whatever is thrown: our errors, Nest's and Fastify's, and what is not expected. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), toAppError(thrown));
  }
}
