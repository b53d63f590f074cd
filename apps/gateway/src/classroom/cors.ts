import { AllowedOrigins } from '@classroom/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Browsers on allowed origins may call /v1/classroom, by bearer and never by cookie; no other origin, and no other route. */
@Injectable()
export class ClassroomCors {
  constructor(private readonly origins: AllowedOrigins) {}

  /** True where the request was a preflight and is answered; at once where the origin is known. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (!request.url.startsWith('/v1/classroom/')) return false;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return false;
    const allowed = this.origins.includes(origin);
    const proceed = (isAllowed: boolean) => isAllowed && this.allow(origin, request, reply);
    return allowed instanceof Promise ? allowed.then(proceed) : proceed(allowed);
  }

  private allow(origin: string, request: FastifyRequest, reply: FastifyReply): boolean {
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', 'X-Request-Id, X-Trace-Id, X-AI-Provider, Retry-After, Date');
    if (request.method !== 'OPTIONS') return false;
    reply.header('access-control-allow-methods', 'GET, POST, PATCH, DELETE');
    reply.header('access-control-allow-headers', 'Authorization, Content-Type, X-Request-Id, Traceparent, Idempotency-Key');
    reply.header('access-control-max-age', '600');
    void reply.code(204).send();
    return true;
  }
}
