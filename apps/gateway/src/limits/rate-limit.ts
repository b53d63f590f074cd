import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { networkOf } from '@classroom/http';
import { atMost, CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { LRUCache } from 'lru-cache';
import { openDashboardSession, type ClassroomCaller } from '@classroom/contracts';
import type { GatewayConfig } from '../config.js';
import { takeOne, type Policy } from './limit-headers.js';
import { CacheRedis } from './cache-redis.js';
import { sharedLimiter, type LeasingLimiter } from './leasing-limiter.js';

const WINDOW_S = 60;

type OpenQuota = 'health' | 'admin' | 'page' | 'open';

/** Requests per address and minute, for requests without an organization. Each gateway counts, so strangers write nothing to Redis. */
@Injectable()
export class AddressLimit {
  private readonly limits: Record<OpenQuota, { policy: Policy; limiter: RateLimiterMemory }>;

  constructor(
    @Inject(CONFIG) config: Pick<
      GatewayConfig,
      'HEALTH_REQUESTS_PER_MINUTE' | 'ADMIN_REQUESTS_PER_MINUTE' | 'PAGE_REQUESTS_PER_MINUTE' | 'OPEN_REQUESTS_PER_MINUTE'
    >,
  ) {
    const limit = (name: OpenQuota, quota: number) => ({
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
  take(kind: OpenQuota, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { limiter, policy } = this.limits[kind];
    return takeOne(limiter, networkOf(request.ip), policy, reply);
  }
}

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

/** Questions to the tutor: protection against a stuck key, not against costs. */
const QUESTIONS: Policy = { name: 'questions', quota: 20, windowSeconds: WINDOW_S };

type PersonQuota = 'requests' | 'questions';

/** Limits the requests, and the questions to the tutor, of one person in a class. */
@Injectable()
export class PersonLimit {
  private readonly limits: Record<PersonQuota, { policy: Policy; limiter: LeasingLimiter }>;

  constructor(@Inject(CONFIG) config: Pick<GatewayConfig, 'CLASSROOM_REQUESTS_PER_MINUTE'>, cache: CacheRedis) {
    const requests = { name: 'classroom', quota: config.CLASSROOM_REQUESTS_PER_MINUTE, windowSeconds: WINDOW_S };
    this.limits = {
      requests: { policy: requests, limiter: sharedLimiter(cache, 'classroom', requests) },
      questions: { policy: QUESTIONS, limiter: sharedLimiter(cache, 'questions', QUESTIONS) },
    };
  }

  /** @throws AppError RATE_LIMITED */
  take(kind: PersonQuota, { sid, uid }: Pick<ClassroomCaller, 'sid' | 'uid'>, reply: FastifyReply): Promise<void> {
    const { limiter, policy } = this.limits[kind];
    return takeOne(limiter, createHash('sha256').update(`${sid}/${uid}`).digest('base64url'), policy, reply);
  }
}

/** Applies the quota of each kind of caller. */
@Injectable()
export class RateLimit {
  constructor(
    private readonly organizations: OrganizationLimit,
    private readonly people: PersonLimit,
    private readonly addresses: AddressLimit,
  ) {}

  /** @throws AppError RATE_LIMITED */
  take(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const { caller, endpoint } = request.requestContext;
    switch (caller.kind) {
      case 'organization':
        return this.organizations.take(caller.organization.organizationId, reply);
      case 'dashboard':
        // A separate quota: dashboard users take nothing from the backend that runs the classes.
        return this.organizations.take(`${caller.organization.organizationId}/dashboard`, reply);
      case 'participant':
        return this.people.take('requests', caller.participant, reply);
      case 'dispatch':
        return this.addresses.take('admin', request, reply);
      default:
        // What is no operation needs no credential: pages, their files, pictures, uploads and playback.
        if (!endpoint || endpoint === openDashboardSession) return this.addresses.take('open', request, reply);
        return endpoint.auth === 'none' ? this.addresses.take('health', request, reply) : undefined;
    }
  }
}
