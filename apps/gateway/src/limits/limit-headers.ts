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
  if (isOver) throw refuse(reply, policy, state.msBeforeNext);
  writeState(reply, policy, state.remainingPoints, secondsOf(state.msBeforeNext));
}

/** The refusal of a caller who is over a quota for `leftMs` more milliseconds, with the headers that say so. */
export function refuse(reply: FastifyReply, policy: Policy, leftMs: number): AppError {
  const seconds = secondsOf(leftMs);
  writeState(reply, policy, 0, seconds);
  reply.header('retry-after', String(seconds));
  return new AppError('RATE_LIMITED');
}

function writeState(reply: FastifyReply, { name, quota, windowSeconds }: Policy, left: number, seconds: number): void {
  reply.header('ratelimit-policy', `"${name}";q=${quota};w=${windowSeconds}`);
  reply.header('ratelimit', `"${name}";r=${left};t=${seconds}`);
}

const secondsOf = (ms: number) => Math.max(Math.ceil(ms / 1000), 1);
