import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClassroomCaller } from '@classroom/contracts';
import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { CacheRedis } from './cache-redis.js';
import { takeOne, type Policy } from './limit-headers.js';

const POLICY: Policy = { name: 'questions', quota: 20, windowSeconds: 60 };
const WINDOW = { points: POLICY.quota, duration: POLICY.windowSeconds };

/**
 * How often one person may ask the tutor in class: there against a stuck key, not for a bill. Counted over all gateways; while
 * Redis is away each gateway counts for itself.
 */
@Injectable()
export class QuestionLimit {
  private readonly limiter: RateLimiterRedis;

  constructor(cache: CacheRedis) {
    this.limiter = new RateLimiterRedis({ storeClient: cache.client, keyPrefix: 'questions', ...WINDOW, insuranceLimiter: new RateLimiterMemory(WINDOW) });
  }

  /** @throws AppError RATE_LIMITED */
  take({ sid, uid }: Pick<ClassroomCaller, 'sid' | 'uid'>, reply: FastifyReply): Promise<void> {
    return takeOne(this.limiter, createHash('sha256').update(`${sid}/${uid}`).digest('base64url'), POLICY, reply);
  }
}
