import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';

/** The classroom's origin may call /v1/classroom from a browser; no other origin, and no other route. */
@Injectable()
export class ClassroomCors {
  private readonly origin: string;

  constructor(@Inject(CONFIG) config: GatewayConfig) {
    this.origin = new URL(config.CLASSROOM_URL).origin;
  }

  /** True where the request was a preflight and is answered. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!request.url.startsWith('/v1/classroom/')) return false;
    reply.header('vary', 'Origin');
    if (request.headers.origin !== this.origin) return false;
    reply.header('access-control-allow-origin', this.origin);
    reply.header('access-control-expose-headers', 'X-Request-Id, X-Trace-Id, Retry-After');
    if (request.method !== 'OPTIONS') return false;
    reply.header('access-control-allow-methods', 'GET, POST, PATCH, DELETE');
    reply.header('access-control-allow-headers', 'Authorization, Content-Type, X-Request-Id, Traceparent');
    reply.header('access-control-max-age', '600');
    void reply.code(204).send();
    return true;
  }
}
