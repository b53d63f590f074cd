import { AllowedOrigins, allowOrigin, networkOf } from '@classroom/http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** Lookups of origins per minute and address, not counting recently allowed origins: pages of a school have a few origins. */
export const MAX_LOOKUPS = 60;
const MAX_NETWORKS = 50_000;
const MAX_ALLOWED = 5_000;

const RULES = {
  methods: 'GET, POST, PATCH, DELETE',
  headers: 'Authorization, Content-Type, X-Request-Id, Traceparent, Idempotency-Key',
  exposed: 'X-Request-Id, X-Trace-Id, X-AI-Provider, Retry-After, Date',
};

/** Browsers on allowed origins may call /v1/classroom, with a bearer and never with cookies. No other origin may, and no other route. */
@Injectable()
export class ClassroomCors {
  /** Lookups in the current minute by address. Each costs a request to the organization service before the caller is authenticated. */
  private readonly lookups = new LRUCache<string, number>({ ...atMost(MAX_NETWORKS), ttl: MINUTE_MS });
  private readonly allowed = new LRUCache<string, true>({ ...atMost(MAX_ALLOWED), ttl: 10 * MINUTE_MS });

  constructor(private readonly origins: AllowedOrigins) {}

  /** True if the request was a preflight, which is then answered. Synchronous if the origin is cached. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (!request.url.startsWith('/v1/classroom/')) return false;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return false;
    const network = networkOf(request.ip);
    const isNew = !this.allowed.has(origin);
    const lookups = this.lookups.get(network) ?? 0;
    if (isNew && lookups >= MAX_LOOKUPS) return false;
    const found = this.origins.includes(origin);
    const proceed = (isAllowed: boolean) => isAllowed && this.allow(origin, request, reply);
    if (!(found instanceof Promise)) return proceed(found);
    // The minute begins with its first lookup.
    if (isNew) this.lookups.set(network, lookups + 1, { noUpdateTTL: true });
    return found.then(proceed);
  }

  private allow(origin: string, request: FastifyRequest, reply: FastifyReply): boolean {
    this.allowed.set(origin, true);
    return allowOrigin(request, reply, RULES);
  }
}
