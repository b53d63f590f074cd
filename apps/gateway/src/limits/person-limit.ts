import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ClassroomCaller } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { CacheRedis } from './cache-redis.js';
import type { LeasingLimiter } from './leasing-limiter.js';
import { takeOne, type Policy } from './limit-headers.js';
import { sharedLimiter } from './shared-limiter.js';

const WINDOW_S = 60;
/** Questions to the tutor: protection against a stuck key, not against costs. */
const QUESTIONS: Policy = { name: 'questions', quota: 20, windowSeconds: WINDOW_S };

type Kind = 'requests' | 'questions';

/** Limits the requests, and the questions to the tutor, of one person in a class. */
@Injectable()
export class PersonLimit {
  private readonly limits: Record<Kind, { policy: Policy; limiter: LeasingLimiter }>;

  constructor(@Inject(CONFIG) config: Pick<GatewayConfig, 'CLASSROOM_REQUESTS_PER_MINUTE'>, cache: CacheRedis) {
    const requests = { name: 'classroom', quota: config.CLASSROOM_REQUESTS_PER_MINUTE, windowSeconds: WINDOW_S };
    this.limits = {
      requests: { policy: requests, limiter: sharedLimiter(cache, 'classroom', requests) },
      questions: { policy: QUESTIONS, limiter: sharedLimiter(cache, 'questions', QUESTIONS) },
    };
  }

  /** @throws AppError RATE_LIMITED */
  take(kind: Kind, { sid, uid }: Pick<ClassroomCaller, 'sid' | 'uid'>, reply: FastifyReply): Promise<void> {
    const { limiter, policy } = this.limits[kind];
    return takeOne(limiter, createHash('sha256').update(`${sid}/${uid}`).digest('base64url'), policy, reply);
  }
}
