import { BlockList, isIP } from 'node:net';

/** The ranges of IANA's special-purpose IPv4 registry that are not globally reachable, multicast, and reserved ranges. */
const SPECIAL_V4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Azure's host agent has a public address that only its virtual machines can reach.
  '168.63.129.16/32',
]);

/** The range that is assigned as global unicast. Addresses that contain an IPv4 address (mapped, NAT64) are outside it. */
const GLOBAL_V6 = listOf('ipv6', ['2000::/3']);
/** Ranges within `GLOBAL_V6` that are not public: protocol assignments including Teredo, 6to4, and documentation. */
const SPECIAL_V6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * Whether `address` is on the public internet. False if it is private, loopback, link-local (where clouds answer their machines),
 * shared by carriers, multicast, reserved, contains another address, or is not an address according to `net.isIP`.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL_V4.check(address);
  // An address with a zone belongs to one link.
  if (family === 0 || address.includes('%')) return false;
  return GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

function listOf(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    list.addSubnet(address, Number(length), family);
  }
  return list;
}
