import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';

const WINDOW_S = 60;

/** The public health check: so many requests a minute from one address. */
@Injectable()
export class HealthLimit {
  private readonly limiter: RateLimiterMemory;
  private readonly quota: number;

  constructor(@Inject(CONFIG) config: GatewayConfig) {
    this.quota = config.HEALTH_REQUESTS_PER_MINUTE;
    this.limiter = new RateLimiterMemory({ points: this.quota, duration: WINDOW_S });
  }

  /** @throws AppError RATE_LIMITED */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.limiter.consume(request.ip).catch((refused: unknown) => refused);
    if (!(outcome instanceof RateLimiterRes)) throw outcome;
    const seconds = Math.ceil(outcome.msBeforeNext / 1000);
    reply.header('ratelimit-policy', `"health";q=${this.quota};w=${WINDOW_S}`);
    reply.header('ratelimit', `"health";r=${outcome.remainingPoints};t=${seconds}`);
    if (outcome.consumedPoints <= this.quota) return;
    reply.header('retry-after', String(seconds));
    throw new AppError('RATE_LIMITED');
  }
}
