import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, type EndpointAuth } from '@classroom/contracts';
import { networkOf } from '@classroom/http';
import { atMost, CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';
import { rejectOverQuota, type Policy } from './limit-headers.js';

const WINDOW_S = 60;
/** For this long after its acceptance, a credential is checked whatever other clients at its address do. */
const ACCEPTED_TTL_MS = 10 * 60_000;
const MAX_ENTRIES = 50_000;
const API_KEY = /^Bearer +(vc_.*)$/i;

export type CredentialAuth = Exclude<EndpointAuth, 'none' | 'livekit'>;

/**
 * Quotas for wrong credentials, per kind of credential, internet connection and minute. The operators' secret gives access to everything.
 * A token of a class cannot be guessed, and a school whose pupils return with yesterday's links has one address for all of them.
 */
const QUOTAS: Record<CredentialAuth, { of: 'operator' | 'backend' | 'classroom'; share: number }> = {
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
export class FailedAuthenticationLimit {
  private readonly limits: Record<CredentialAuth, { policy: Policy; limiter: RateLimiterMemory }>;
  /** Until when an address is blocked, in milliseconds of `performance.now()`. */
  private readonly blockedUntil = new LRUCache<string, number>(atMost(MAX_ENTRIES));
  /** By kind of credential: participants, who get a new token with each session, displace no one but each other. */
  private readonly accepted = { operator: acceptedOnes(), backend: acceptedOnes(), classroom: acceptedOnes() };

  constructor(@Inject(CONFIG) { REFUSED_REQUESTS_PER_MINUTE }: Pick<GatewayConfig, 'REFUSED_REQUESTS_PER_MINUTE'>) {
    const limits = Object.entries(QUOTAS).map(([auth, { of, share }]) => {
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

  private acceptedFor(auth: CredentialAuth): LRUCache<string, true> {
    return this.accepted[QUOTAS[auth].of];
  }

  /** Called before a credential is checked. @throws AppError RATE_LIMITED */
  check(request: FastifyRequest, auth: CredentialAuth, reply: FastifyReply): void {
    const until = this.blockedUntil.get(bucketOf(request, auth));
    if (until === undefined) return;
    const leftMs = until - performance.now();
    if (leftMs > 0 && !this.acceptedFor(auth).has(credentialOf(request, auth)))
      throw rejectOverQuota(reply, this.limits[auth].policy, leftMs);
  }

  recordSuccess(request: FastifyRequest, auth: CredentialAuth): void {
    this.acceptedFor(auth).set(credentialOf(request, auth), true);
  }

  /** Counts failures that mean that a credential was wrong; any other failure does not. */
  recordFailure(request: FastifyRequest, auth: CredentialAuth, failure: unknown): void {
    if (!(failure instanceof AppError) || !(failure.kind === 'unauthenticated' || failure.code === 'ORGANIZATION_NOT_FOUND')) return;
    this.acceptedFor(auth).delete(credentialOf(request, auth));
    const network = networkOf(request.ip);
    this.limits[auth].limiter.consume(network).catch((full: unknown) => {
      if (full instanceof RateLimiterRes) this.blockedUntil.set(bucketOf(request, auth), performance.now() + full.msBeforeNext);
    });
  }
}

const acceptedOnes = () => new LRUCache<string, true>({ ...atMost(MAX_ENTRIES), ttl: ACCEPTED_TTL_MS });

const bucketOf = ({ ip }: FastifyRequest, auth: CredentialAuth) => `${QUOTAS[auth].of} ${networkOf(ip)}`;

/** A hash, so that no secret stays in memory. */
const credentialOf = ({ headers }: FastifyRequest, auth: CredentialAuth) =>
  hash('sha256', JSON.stringify(readBy(auth, headers)), 'base64url');

/** The API key of a request; undefined if it has none. */
export const apiKeyOf = ({ authorization = '' }: FastifyRequest['headers']): string | undefined => API_KEY.exec(authorization)?.[1];

/** What authentication reads: a caller with one valid credential has one entry here, whatever else it sends. */
function readBy(auth: CredentialAuth, headers: FastifyRequest['headers']): unknown[] {
  if (auth === 'dispatch') return [headers['x-dispatch-secret']];
  // Of a bearer, the scheme may be written in any case.
  if (auth !== 'organization') return [headers.authorization?.slice('Bearer '.length)];
  return [apiKeyOf(headers), headers['vf-org-id']];
}
