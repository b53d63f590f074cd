import { Inject, Injectable } from '@nestjs/common';
import { networkOf } from '@classroom/http';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';
import { takeOne, type Policy } from './limit-headers.js';

const WINDOW_S = 60;

type Kind = 'health' | 'admin' | 'page' | 'open';

/** Requests per address and minute, for requests without an organization. Each gateway counts, so strangers write nothing to Redis. */
@Injectable()
export class AddressLimit {
  private readonly limits: Record<Kind, { policy: Policy; limiter: RateLimiterMemory }>;

  constructor(
    @Inject(CONFIG) config: Pick<
      GatewayConfig,
      'HEALTH_REQUESTS_PER_MINUTE' | 'ADMIN_REQUESTS_PER_MINUTE' | 'PAGE_REQUESTS_PER_MINUTE' | 'OPEN_REQUESTS_PER_MINUTE'
    >,
  ) {
    const limit = (name: Kind, quota: number) => ({
      policy: { name, quota, windowSeconds: WINDOW_S },
      limiter: new RateLimiterMemory({ points: quota, duration: WINDOW_S }),
    });
    this.limits = {
      health: limit('health', config.HEALTH_REQUESTS_PER_MINUTE),
      admin: limit('admin', config.ADMIN_REQUESTS_PER_MINUTE),
      page: limit('page', config.PAGE_REQUESTS_PER_MINUTE),
      open: limit('open', config.OPEN_REQUESTS_PER_MINUTE),
    };
  }

  /** @throws AppError RATE_LIMITED */
  take(kind: Kind, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { limiter, policy } = this.limits[kind];
    return takeOne(limiter, networkOf(request.ip), policy, reply);
  }
}
