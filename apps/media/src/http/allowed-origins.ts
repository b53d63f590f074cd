import { Inject, Injectable } from '@nestjs/common';
import { organizationRpc } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import type { MediaConfig } from '../config.js';

const MOST = 5_000;
const KEPT_MS = 30_000;
const MAX_ORIGIN = 300;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whose pages may play and upload from a browser: the classroom's own, and those on any organization's verified domain. */
@Injectable()
export class AllowedOrigins {
  private readonly own: string | undefined;
  private readonly known = new Map<string, { isAllowed: boolean; until: number }>();

  constructor(
    @Inject(CONFIG) config: MediaConfig,
    private readonly rpc: RpcClient,
  ) {
    this.own = config.CLASSROOM_URL && new URL(config.CLASSROOM_URL).origin;
  }

  /** No answer is a "no" for now. */
  async includes(origin: string): Promise<boolean> {
    if (origin === this.own) return true;
    const known = this.known.get(origin);
    if (known && known.until > performance.now()) return known.isAllowed;
    const host = hostOf(origin);
    if (!host) return false;
    try {
      const { isVerified } = await this.rpc.call(organizationRpc.isVerifiedHost, { host });
      this.keep(origin, isVerified);
      return isVerified;
    } catch {
      return false;
    }
  }

  private keep(origin: string, isAllowed: boolean): void {
    this.known.delete(origin);
    this.known.set(origin, { isAllowed, until: performance.now() + KEPT_MS });
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
  }
}

/** The host as verified domains are written; plain http is for loopback alone. */
function hostOf(origin: string): string | undefined {
  if (origin.length > MAX_ORIGIN || !URL.canParse(origin)) return undefined;
  const { protocol, hostname, host, origin: normal } = new URL(origin);
  const isSecure = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  return normal === origin && isSecure ? host : undefined;
}
