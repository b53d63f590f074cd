import { AllowedOrigins, allowOrigin } from '@classroom/http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { lineOf } from '../limits/address.js';

const MINUTE_MS = 60_000;
/** Origins that one address may have looked up in a minute, not counting those that were allowed lately: pages of a school have a few. */
export const LOOKUPS = 60;
const MOST_LINES = 50_000;
const MOST_ALLOWED = 5_000;

const RULES = {
  methods: 'GET, POST, PATCH, DELETE',
  headers: 'Authorization, Content-Type, X-Request-Id, Traceparent, Idempotency-Key',
  exposed: 'X-Request-Id, X-Trace-Id, X-AI-Provider, Retry-After, Date',
};

/** Browsers on allowed origins may call /v1/classroom, by bearer and never by cookie; no other origin, and no other route. */
@Injectable()
export class ClassroomCors {
  /** Lookups by address in the present minute; each costs a request to the organization service before anyone has proved who they are. */
  private readonly lookups = new LRUCache<string, number>({ max: MOST_LINES, ttl: MINUTE_MS });
  private readonly allowed = new LRUCache<string, true>({ max: MOST_ALLOWED, ttl: 10 * MINUTE_MS });

  constructor(private readonly origins: AllowedOrigins) {}

  /** True where the request was a preflight and is answered; at once where the origin is known. */
  answer(request: FastifyRequest, reply: FastifyReply): boolean | Promise<boolean> {
    if (!request.url.startsWith('/v1/classroom/')) return false;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return false;
    const line = lineOf(request.ip);
    const isNew = !this.allowed.has(origin);
    const lookups = this.lookups.get(line) ?? 0;
    if (isNew && lookups >= LOOKUPS) return false;
    const found = this.origins.includes(origin);
    const proceed = (isAllowed: boolean) => isAllowed && this.allow(origin, request, reply);
    if (!(found instanceof Promise)) return proceed(found);
    // The minute begins with its first lookup.
    if (isNew) this.lookups.set(line, lookups + 1, { noUpdateTTL: true });
    return found.then(proceed);
  }

  private allow(origin: string, request: FastifyRequest, reply: FastifyReply): boolean {
    this.allowed.set(origin, true);
    return allowOrigin(request, reply, RULES);
  }
}
