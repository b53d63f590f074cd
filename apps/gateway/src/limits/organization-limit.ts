import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { atMost, CONFIG } from '@classroom/platform';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../config.js';
import { CacheRedis } from './cache-redis.js';
import type { LeasingLimiter } from './leasing-limiter.js';
import { takeOne, type Policy } from './limit-headers.js';
import { sharedLimiter } from './shared-limiter.js';

const WINDOW_S = 60;

/** Requests per organization, counted over all gateways. While Redis is unreachable, each gateway counts for itself. */
@Injectable()
export class OrganizationLimit {
  private readonly policy: Policy;
  private readonly limiter: LeasingLimiter;
  /** Keys in Redis contain a hash of the organization's id, because the id is a secret. */
  private readonly keys = new LRUCache<string, string>(atMost(20_000));

  constructor(@Inject(CONFIG) config: GatewayConfig, cache: CacheRedis) {
    this.policy = { name: 'organization', quota: config.RATE_LIMIT_PER_MINUTE, windowSeconds: WINDOW_S };
    this.limiter = sharedLimiter(cache, 'limit', this.policy);
  }

  /** @throws AppError RATE_LIMITED */
  take(organizationId: string, reply: FastifyReply): Promise<void> {
    return takeOne(this.limiter, this.keyOf(organizationId), this.policy, reply);
  }

  private keyOf(organizationId: string): string {
    let key = this.keys.get(organizationId);
    if (!key) {
      key = createHash('sha256').update(organizationId).digest('base64url').slice(0, 22);
      this.keys.set(organizationId, key);
    }
    return key;
  }
}
