import { AppError } from '@classroom/contracts';
import type { FastifyReply } from 'fastify';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** A quota of requests in a window of seconds, by the name the headers give it. */
export interface Policy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/**
 * Takes one request of the quota. Tells the caller where it stands (the IETF draft's RateLimit and RateLimit-Policy), and
 * refuses what is over. @throws AppError RATE_LIMITED
 */
export async function takeOne(limiter: RateLimiterAbstract, key: string, policy: Policy, reply: FastifyReply): Promise<void> {
  let isOver = false;
  const state: unknown = await limiter.consume(key).catch((refused: unknown) => {
    isOver = true;
    return refused;
  });
  // The limiter rejects with its state when the quota is used up, and with an error when it is broken.
  if (!(state instanceof RateLimiterRes)) throw state;
  const seconds = Math.max(Math.ceil(state.msBeforeNext / 1000), 1);
  reply.header('ratelimit-policy', `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`);
  reply.header('ratelimit', `"${policy.name}";r=${isOver ? 0 : state.remainingPoints};t=${seconds}`);
  if (!isOver) return;
  reply.header('retry-after', String(seconds));
  throw new AppError('RATE_LIMITED');
}
