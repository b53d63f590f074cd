import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { networkOf } from './network.js';

const MAX_NETWORKS = 50_000;
const MINUTE_MS = 60_000;

/** How often an internet connection may do something in a minute, which begins with the first time. Each process counts for itself. */
export class AddressQuota {
  private readonly taken = new LRUCache<string, number>({ ...atMost(MAX_NETWORKS), ttl: MINUTE_MS });

  constructor(private readonly quota: number) {}

  /** @returns false if the quota of this address is used up */
  take(ip: string): boolean {
    const network = networkOf(ip);
    const taken = this.taken.get(network) ?? 0;
    if (taken >= this.quota) return false;
    this.taken.set(network, taken + 1, { noUpdateTTL: true });
    return true;
  }

  /** Seconds until the minute of this address is over, at least 1. */
  secondsLeft(ip: string): number {
    return Math.max(1, Math.ceil(this.taken.getRemainingTTL(networkOf(ip)) / 1_000));
  }
}
