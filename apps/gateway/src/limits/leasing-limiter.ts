import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { CacheRedis } from './cache-redis.js';
import type { Policy } from './limit-headers.js';

const MAX_KEYS = 50_000;
/** Part of the quota that a gateway takes at a time, and at most so many requests. */
const BLOCK_RATIO = 100;
const MAX_BLOCK = 50;

/** Requests of the present window that this gateway took from the shared count and has not admitted yet. */
interface Lease {
  left: number;
  /** What the shared count still has. */
  remaining: number;
  /** Nothing is left in the shared count. */
  isLast: boolean;
  /** End of the window, in milliseconds of `performance.now()`. */
  endsAt: number;
}

/**
 * Takes requests from a shared count in blocks of 1 % of the quota, so that most requests need no round trip. The quota is never exceeded; a
 * gateway that does not use its whole block leaves up to one block of it unused.
 */
export class LeasingLimiter implements Pick<RateLimiterAbstract, 'consume'> {
  private readonly block: number;
  private readonly leases = new LRUCache<string, Lease>(atMost(MAX_KEYS));
  private readonly renewals = new Map<string, Promise<void>>();

  constructor(
    private readonly shared: Pick<RateLimiterAbstract, 'consume'>,
    private readonly quota: number,
  ) {
    this.block = Math.min(Math.max(Math.floor(quota / BLOCK_RATIO), 1), MAX_BLOCK);
  }

  /** @throws RateLimiterRes if the quota is exhausted; any error of the shared count */
  async consume(key: string | number): Promise<RateLimiterRes> {
    const name = String(key);
    for (;;) {
      const lease = this.leases.get(name);
      const leftMs = lease ? lease.endsAt - performance.now() : 0;
      if (lease && leftMs > 0) {
        if (lease.left > 0) {
          lease.left -= 1;
          return this.stateOf(lease.remaining + lease.left, leftMs);
        }
        if (lease.isLast) throw this.stateOf(0, leftMs);
      }
      await this.renew(name);
    }
  }

  /** Takes the next block. Callers that need one at the same time wait for the same answer. */
  private renew(key: string): Promise<void> {
    const known = this.renewals.get(key);
    if (known) return known;
    const renewal = this.lease(key).finally(() => this.renewals.delete(key));
    this.renewals.set(key, renewal);
    return renewal;
  }

  private async lease(key: string): Promise<void> {
    const state = await this.shared.consume(key, this.block).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    // The last block may be only partly within the quota.
    const over = Math.max(state.consumedPoints - this.quota, 0);
    this.leases.set(key, {
      left: Math.max(this.block - over, 0),
      remaining: Math.max(state.remainingPoints, 0),
      isLast: state.consumedPoints >= this.quota,
      endsAt: performance.now() + state.msBeforeNext,
    });
  }

  private stateOf(remaining: number, leftMs: number): RateLimiterRes {
    return new RateLimiterRes(remaining, leftMs, this.quota - remaining);
  }
}

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
