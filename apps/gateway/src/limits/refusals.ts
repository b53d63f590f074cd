import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, type EndpointAuth } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';
import { lineOf } from './address.js';
import { refuse, type Policy } from './limit-headers.js';

const WINDOW_S = 60;
/** For this long after its acceptance, a credential is checked whatever other clients at its address do. */
const ACCEPTED_MS = 10 * 60_000;
const MOST = 50_000;

export type Proved = Exclude<EndpointAuth, 'none' | 'livekit'>;

/**
 * Quotas for wrong credentials, per kind of credential, internet connection and minute. The operators' secret gives access to everything.
 * A token of a class cannot be guessed, and a school whose pupils return with yesterday's links has one address for all of them.
 */
const GUESSES: Record<Proved, { of: 'operator' | 'backend' | 'classroom'; share: number }> = {
  dispatch: { of: 'operator', share: 0.1 },
  organization: { of: 'backend', share: 1 },
  dashboard: { of: 'backend', share: 1 },
  participant: { of: 'classroom', share: 20 },
  classroom: { of: 'classroom', share: 20 },
};

/**
 * Rejects an address with too many wrong credentials in a minute before anything else is checked, except credentials that were accepted
 * recently: guessing from a school's address locks out none of its users. Each gateway counts for itself.
 */
@Injectable()
export class Refusals {
  private readonly limits: Record<Proved, { policy: Policy; limiter: RateLimiterMemory }>;
  /** Until when an address is refused, in milliseconds of `performance.now()`. */
  private readonly refusedUntil = new LRUCache<string, number>({ max: MOST });
  private readonly accepted = new LRUCache<string, true>({ max: MOST, ttl: ACCEPTED_MS });

  constructor(@Inject(CONFIG) { REFUSED_REQUESTS_PER_MINUTE }: Pick<GatewayConfig, 'REFUSED_REQUESTS_PER_MINUTE'>) {
    const limits = Object.entries(GUESSES).map(([auth, { of, share }]) => {
      const quota = Math.ceil(REFUSED_REQUESTS_PER_MINUTE * share);
      return [
        auth,
        {
          policy: { name: `refused-${of}`, quota, windowSeconds: WINDOW_S },
          limiter: new RateLimiterMemory({ points: quota, duration: WINDOW_S, keyPrefix: of }),
        },
      ];
    });
    this.limits = Object.fromEntries(limits) as typeof this.limits;
  }

  /** Called before a credential is checked. @throws AppError RATE_LIMITED */
  admit(request: FastifyRequest, auth: Proved, reply: FastifyReply): void {
    const until = this.refusedUntil.get(placeOf(request, auth));
    if (until === undefined) return;
    const leftMs = until - performance.now();
    if (leftMs > 0 && !this.accepted.has(credentialOf(request, auth))) throw refuse(reply, this.limits[auth].policy, leftMs);
  }

  accept(request: FastifyRequest, auth: Proved): void {
    this.accepted.set(credentialOf(request, auth), true);
  }

  /** Counts failures that mean that a credential was wrong; any other failure does not. */
  note(request: FastifyRequest, auth: Proved, failure: unknown): void {
    if (!(failure instanceof AppError) || !(failure.kind === 'unauthenticated' || failure.code === 'ORGANIZATION_NOT_FOUND')) return;
    this.accepted.delete(credentialOf(request, auth));
    const line = lineOf(request.ip);
    this.limits[auth].limiter.consume(line).catch((full: unknown) => {
      if (full instanceof RateLimiterRes) this.refusedUntil.set(placeOf(request, auth), performance.now() + full.msBeforeNext);
    });
  }
}

const placeOf = ({ ip }: FastifyRequest, auth: Proved) => `${GUESSES[auth].of} ${lineOf(ip)}`;

/** A hash, so that no secret stays in memory. */
const credentialOf = ({ headers }: FastifyRequest, auth: Proved) =>
  hash(
    'sha256',
    JSON.stringify([GUESSES[auth].of, headers.authorization, headers['vf-org-id'], headers['x-dispatch-secret']]),
    'base64url',
  );
