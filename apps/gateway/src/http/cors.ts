import { AllowedOrigins, allowOrigin } from '@classroom/http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

const RULES = {
  methods: 'GET, POST, PATCH, DELETE',
  headers: 'Authorization, Content-Type, X-Request-Id, Traceparent, Idempotency-Key',
  exposed: 'X-Request-Id, X-Trace-Id, X-AI-Provider, Retry-After, Date',
};

/** Browsers on allowed origins may call /v1/classroom, with a bearer and never with cookies. No other origin may, and no other route. */
@Injectable()
export class ClassroomCors {
  constructor(private readonly origins: AllowedOrigins) {}

  /** True if the request was a preflight, which is then answered. Synchronous if the origin is cached. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (!request.url.startsWith('/v1/classroom/')) return false;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return false;
    const found = this.origins.includes(origin, request.ip);
    const proceed = (isAllowed: boolean) => isAllowed && allowOrigin(request, reply, RULES);
    return found instanceof Promise ? found.then(proceed) : proceed(found);
  }
}
