import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { CacheRedis } from './cache-redis.js';
import type { Policy } from './limit-headers.js';

/** Counts over all gateways; while Redis is unreachable each gateway counts for itself. */
export function sharedLimiter(cache: CacheRedis, keyPrefix: string, { quota, windowSeconds }: Policy): RateLimiterRedis {
  const window = { points: quota, duration: windowSeconds };
  return new RateLimiterRedis({
    storeClient: cache.client,
    keyPrefix,
    ...window,
    insuranceLimiter: new RateLimiterMemory(window),
    // A caller over the quota is rejected again without a request to Redis.
    inMemoryBlockOnConsumed: quota + 1,
  });
}
