import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';
import { takeOne, type Policy } from '../limits/limit-headers.js';

const WINDOW_S = 60;

/** The public health check: so many requests a minute from one address. */
@Injectable()
export class HealthLimit {
  private readonly limiter: RateLimiterMemory;
  private readonly policy: Policy;

  constructor(@Inject(CONFIG) config: GatewayConfig) {
    this.policy = { name: 'health', quota: config.HEALTH_REQUESTS_PER_MINUTE, windowSeconds: WINDOW_S };
    this.limiter = new RateLimiterMemory({ points: this.policy.quota, duration: WINDOW_S });
  }

  /** @throws AppError RATE_LIMITED */
  take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return takeOne(this.limiter, request.ip, this.policy, reply);
  }
}
