import { Inject, Injectable } from '@nestjs/common';
import { organizationRpc } from '@classroom/contracts';
import { atMost, CONFIG } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AddressQuota } from './address-quota.js';

const MAX_ORIGINS = 5_000;
const TTL_MS = 30_000;
/** How long an origin counts as not allowed after a lookup that failed. */
const FAILED_TTL_MS = 5_000;
const MINUTE_MS = 60_000;
/** How long an origin that was allowed is known. */
const ALLOWED_MS = 10 * MINUTE_MS;
/** Lookups of origins per minute and address, not counting origins that were allowed recently: pages of a school have a few origins. */
export const MAX_LOOKUPS = 60;
const MAX_ORIGIN = 300;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The origins whose pages may call us from a browser: the classroom page's own, and any organization's verified domains. */
@Injectable()
export class AllowedOrigins {
  private readonly own: string | undefined;
  private readonly answers = new LRUCache<string, boolean>({ ...atMost(MAX_ORIGINS), ttl: TTL_MS });
  private readonly allowed = new LRUCache<string, true>({ ...atMost(MAX_ORIGINS), ttl: ALLOWED_MS });
  /** Each lookup is a request to the organization service for a caller who is not authenticated. */
  private readonly lookups = new AddressQuota(MAX_LOOKUPS);
  private readonly asking = new Map<string, Promise<boolean>>();

  constructor(
    @Inject(CONFIG) config: { CLASSROOM_URL?: string | undefined },
    @Inject(RpcClient) private readonly rpc: RpcClient,
  ) {
    this.own = config.CLASSROOM_URL && new URL(config.CLASSROOM_URL).origin;
  }

  /** Whether the origin is the page's own or was allowed recently. Looks nothing up. */
  knows(origin: string): boolean {
    return origin === this.own || this.allowed.has(origin);
  }

  /**
   * Synchronous unless the origin has to be looked up. False if the organization service does not answer, or if too many origins were looked
   * up for the address.
   * @param ip the caller's address
   */
  includes(origin: string, ip: string): boolean | Promise<boolean> {
    if (origin === this.own) return true;
    const known = this.answers.get(origin) ?? this.asking.get(origin);
    if (known !== undefined) return known;
    const host = hostOf(origin);
    // Origins that were allowed recently are not counted.
    if (host === undefined || !(this.allowed.has(origin) || this.lookups.take(ip))) return false;
    const asking = this.ask(origin, host).finally(() => this.asking.delete(origin));
    this.asking.set(origin, asking);
    return asking;
  }

  private async ask(origin: string, host: string): Promise<boolean> {
    try {
      const { isVerified } = await this.rpc.call(organizationRpc.isVerifiedHost, { host });
      this.answers.set(origin, isVerified);
      if (isVerified) this.allowed.set(origin, true);
      else this.allowed.delete(origin);
      return isVerified;
    } catch {
      this.answers.set(origin, false, { ttl: FAILED_TTL_MS });
      return false;
    }
  }
}

/** The host in the form of a verified domain. Plain http is accepted only for loopback addresses. */
export function hostOf(origin: string): string | undefined {
  if (origin.length > MAX_ORIGIN || !URL.canParse(origin)) return undefined;
  const { protocol, hostname, host, origin: normal } = new URL(origin);
  if (normal !== origin) return undefined;
  const isSecure = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  return isSecure ? host : undefined;
}

/** What pages on an allowed origin may do. */
export interface CorsRules {
  methods: string;
  headers: string;
  exposed: string;
}

const PREFLIGHT_SECONDS = '600';

/** Lets the request's origin read the answer. Returns true if the request was a preflight and has been answered. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { methods, headers, exposed }: CorsRules,
  isPreflight = request.method === 'OPTIONS',
): boolean {
  reply.header('access-control-allow-origin', request.headers.origin);
  reply.header('access-control-expose-headers', exposed);
  if (!isPreflight) return false;
  reply.header('access-control-allow-methods', methods);
  reply.header('access-control-allow-headers', headers);
  reply.header('access-control-max-age', PREFLIGHT_SECONDS);
  void reply.code(204).send();
  return true;
}
