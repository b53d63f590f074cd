import { Inject, Injectable } from '@nestjs/common';
import { organizationRpc } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { RpcClient } from '@classroom/messaging';

const MAX_ORIGINS = 5_000;
const TTL_MS = 30_000;
const MAX_ORIGIN = 300;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whose pages may call us from a browser: the classroom's own, and those on any organization's verified domain. */
@Injectable()
export class AllowedOrigins {
  private readonly own: string | undefined;
  private readonly known = new LRUCache<string, boolean>({ max: MAX_ORIGINS, ttl: TTL_MS });

  constructor(
    @Inject(CONFIG) config: { CLASSROOM_URL?: string | undefined },
    @Inject(RpcClient) private readonly rpc: RpcClient,
  ) {
    this.own = config.CLASSROOM_URL && new URL(config.CLASSROOM_URL).origin;
  }

  /** At once where it is known. No answer is a "no" for now. */
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

/** The host as verified domains are written; plain http is for loopback alone. */
export function hostOf(origin: string): string | undefined {
  if (origin.length > MAX_ORIGIN || !URL.canParse(origin)) return undefined;
  const { protocol, hostname, host, origin: normal } = new URL(origin);
  if (normal !== origin) return undefined;
  const isSecure = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  return isSecure ? host : undefined;
}
