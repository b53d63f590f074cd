import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { atMost, CONFIG } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { networkOf } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openDashboardSession, type ClassroomCaller } from '@classroom/contracts';
import type { GatewayConfig } from '../config.js';
import { CacheRedis } from './cache-redis.js';
import { takeOne, type Policy } from './limit-headers.js';

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
function sharedLimiter(cache: CacheRedis, keyPrefix: string, { quota, windowSeconds }: Policy): LeasingLimiter {
  const window = { points: quota, duration: windowSeconds };
  const shared = new RateLimiterRedis({
    storeClient: cache.limits,
    keyPrefix,
    ...window,
    insuranceLimiter: new RateLimiterMemory(window),
  });
  return new LeasingLimiter(shared, quota);
}

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
