import { Inject, Injectable } from '@nestjs/common';
import { organizationRpc } from '@classroom/contracts';
import { atMost, CONFIG } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { RpcClient } from '@classroom/messaging';

const MAX_ORIGINS = 5_000;
const TTL_MS = 30_000;
const MAX_ORIGIN = 300;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The origins whose pages may call us from a browser: the classroom page's own, and any organization's verified domains. */
@Injectable()
export class AllowedOrigins {
  private readonly own: string | undefined;
  private readonly known = new LRUCache<string, boolean>({ ...atMost(MAX_ORIGINS), ttl: TTL_MS });

  constructor(
    @Inject(CONFIG) config: { CLASSROOM_URL?: string | undefined },
    @Inject(RpcClient) private readonly rpc: RpcClient,
  ) {
    this.own = config.CLASSROOM_URL && new URL(config.CLASSROOM_URL).origin;
  }

  /** Synchronous if the result is cached. If the organization service does not answer, the result is false and is not cached. */
  includes(origin: string): boolean | Promise<boolean> {
    if (origin === this.own) return true;
    const known = this.known.get(origin);
    return known ?? this.ask(origin);
  }

  private async ask(origin: string): Promise<boolean> {
    const host = hostOf(origin);
    if (!host) return false;
    try {
      const { isVerified } = await this.rpc.call(organizationRpc.isVerifiedHost, { host });
      this.known.set(origin, isVerified);
      return isVerified;
    } catch {
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
