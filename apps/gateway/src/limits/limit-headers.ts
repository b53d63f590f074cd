import { AppError } from '@classroom/contracts';
import type { FastifyReply } from 'fastify';
import { RateLimiterRes } from 'rate-limiter-flexible';

/** A quota of requests in a window of seconds, by the name the headers give it. */
export interface Policy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/**
 * Tells the caller where it stands (the IETF draft's RateLimit and RateLimit-Policy), and refuses what is over.
 * `outcome` is what the limiter resolved or rejected with. @throws AppError RATE_LIMITED
 */
export function applyLimit(reply: FastifyReply, policy: Policy, outcome: unknown): void {
  if (!(outcome instanceof RateLimiterRes)) throw outcome;
  const seconds = Math.ceil(outcome.msBeforeNext / 1000);
  reply.header('ratelimit-policy', `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`);
  reply.header('ratelimit', `"${policy.name}";r=${outcome.remainingPoints};t=${seconds}`);
  if (outcome.consumedPoints <= policy.quota) return;
  reply.header('retry-after', String(Math.max(seconds, 1)));
  throw new AppError('RATE_LIMITED');
}
