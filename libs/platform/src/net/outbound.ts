import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { z } from 'zod';
import type { BaseConfig } from '../config.js';
import { isPublicAddress } from './public-addresses.js';

/** Configuration of an app that opens addresses given by schools. */
export const outboundConfig = z.object({
  /** Hosts, addresses or networks (comma separated) that may be opened although they are private. With `DEPLOYMENT=local`: this machine. */
  OUTBOUND_ALLOWED_HOSTS: z
    .string()
    .optional()
    .transform((value) =>
      value
        ?.split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((hosts) => hosts?.every(isHost) ?? true, 'must be hosts, addresses or networks, comma separated'),
});
export type OutboundConfig = z.infer<typeof outboundConfig> & Pick<BaseConfig, 'DEPLOYMENT'>;

/** Resolves all addresses of a name; `dns.lookup` except in tests. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const THIS_MACHINE = ['localhost', '127.0.0.0/8', '::1'];

/** An address that the user who gave it may not open. The message contains no address, because that user may see it. */
export class AddressRefused extends Error {
  constructor(readonly reason: 'scheme' | 'credentials' | 'private') {
    super(`the address may not be opened (${reason})`);
  }
}

/**
 * Which of the addresses given by schools may be opened: the public internet, and what the operator allows. The decision is based
 * on the address to which the connection is made: `lookup` resolves a name once and the connection uses that answer, so that a
 * second, different answer cannot bypass the check.
 */
export class Outbound {
  private readonly names: ReadonlySet<string>;
  private readonly networks = new BlockList();

  constructor(
    { DEPLOYMENT, OUTBOUND_ALLOWED_HOSTS }: OutboundConfig,
    private readonly resolve: Resolve = systemLookup,
  ) {
    const allowed = OUTBOUND_ALLOWED_HOSTS ?? (DEPLOYMENT === 'local' ? THIS_MACHINE : []);
    const isNetwork = (host: string) => isIP(host.split('/')[0] ?? '') !== 0;
    this.names = new Set(allowed.filter((host) => !isNetwork(host)).map(nameOf));
    for (const network of allowed.filter(isNetwork)) this.allow(network);
  }

  /**
   * Call it before each request and after each redirect: `lookup` is not called if the URL contains an IP address.
   * @throws AddressRefused
   */
  check(url: URL): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AddressRefused('scheme');
    if (url.username || url.password) throw new AddressRefused('credentials');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.isReachable(host)) throw new AddressRefused('private');
  }

  /** For `net.connect` and everything that takes its `lookup`: returns only addresses that may be reached, and fails if there is none. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family;
    this.resolve(hostname, { all: true, ...(family === undefined ? {} : { family }) }, (error, found) => {
      if (error) return callback(error, []);
      const isAllowed = this.names.has(nameOf(hostname));
      const open = found.filter(({ address }) => isAllowed || this.isReachable(address));
      const [first] = open;
      if (!first) return callback(new AddressRefused('private'), []);
      return options.all ? callback(null, open) : callback(null, first.address, first.family);
    });
  };

  private isReachable(address: string): boolean {
    return isPublicAddress(address) || this.networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }

  private allow(network: string): void {
    const [address = '', length] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    this.networks.addSubnet(address, Number(length ?? (family === 'ipv6' ? 128 : 32)), family);
  }
}

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, '');

function isHost(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  if (isIP(address) === 0) return length === undefined && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text);
  return more.length === 0 && (length === undefined || (/^\d+$/.test(length) && Number(length) <= (isIP(address) === 6 ? 128 : 32)));
}
