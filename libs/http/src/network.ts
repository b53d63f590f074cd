import { isIPv6 } from 'node:net';

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
