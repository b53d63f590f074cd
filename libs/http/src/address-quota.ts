import { isIPv6 } from 'node:net';
import { atMost } from '@classroom/platform';
import { LRUCache } from 'lru-cache';

const GROUPS_PER_ADDRESS = 8;
/** An internet connection usually has a whole /64 of IPv6. */
const GROUPS_PER_NETWORK = 4;

/** Identifies an internet connection: its IPv4 address, or the first 64 bits of its IPv6 addresses. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip;
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? [];
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: Math.max(0, GROUPS_PER_ADDRESS - before.length - after.length) }, () => '0');
  const all = [...before, ...(tail === undefined ? [] : zeros), ...after];
  return `${all
    .slice(0, GROUPS_PER_NETWORK)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

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
