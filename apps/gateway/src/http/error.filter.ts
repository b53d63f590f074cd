import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { toAppError } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './envelope.js';

/** Answers everything that is thrown: our errors, those of Nest and Fastify, and unexpected ones. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), toAppError(thrown));
  }
}
