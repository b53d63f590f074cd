import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { CacheRedis } from './cache-redis.js';
import { LeasingLimiter } from './leasing-limiter.js';
import type { Policy } from './limit-headers.js';

/** Counts over all gateways, in blocks; while Redis is unreachable each gateway counts for itself. */
export function sharedLimiter(cache: CacheRedis, keyPrefix: string, { quota, windowSeconds }: Policy): LeasingLimiter {
  const window = { points: quota, duration: windowSeconds };
  const shared = new RateLimiterRedis({
    storeClient: cache.limits,
    keyPrefix,
    ...window,
    insuranceLimiter: new RateLimiterMemory(window),
  });
  return new LeasingLimiter(shared, quota);
}
