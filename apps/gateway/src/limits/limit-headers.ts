import { AppError } from '@classroom/contracts';
import type { FastifyReply } from 'fastify';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** A quota of requests in a window of seconds, with its name in the headers. */
export interface Policy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/**
 * Takes one request from the quota. Reports the state of the quota to the caller (RateLimit and RateLimit-Policy of the IETF's draft)
 * and rejects requests over the quota. @throws AppError RATE_LIMITED
 */
export async function takeOne(
  limiter: Pick<RateLimiterAbstract, 'consume'>,
  key: string,
  policy: Policy,
  reply: FastifyReply,
): Promise<void> {
  let isOver = false;
  const state: unknown = await limiter.consume(key).catch((refused: unknown) => {
    isOver = true;
    return refused;
  });
  // The limiter rejects with its state if the quota is exhausted, and with an error if the limiter itself fails.
  if (!(state instanceof RateLimiterRes)) throw state;
  if (isOver) throw rejectOverQuota(reply, policy, state.msBeforeNext);
  writeState(reply, policy, state.remainingPoints, secondsOf(state.msBeforeNext));
}

/** The error for a caller who is over a quota for another `leftMs` milliseconds. Also sets its headers. */
export function rejectOverQuota(reply: FastifyReply, policy: Policy, leftMs: number): AppError {
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
