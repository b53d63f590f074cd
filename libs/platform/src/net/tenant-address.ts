import { AddressRefused, type Outbound } from './outbound.js';

/** Milliseconds. If DNS does not answer within this time, the name is accepted: its addresses are checked again at every connection. */
const LOOKUP_TIMEOUT_MS = 2_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What is wrong with a refused address, for the caller who gave it. */
export const ADDRESS_REASONS: Record<AddressRefused['reason'], string> = {
  scheme: 'must be an https address',
  credentials: 'must hold no user and no password',
  private: 'must be a public address',
};

/**
 * Allows public HTTPS addresses, and plain HTTP to this machine if the operator allows it (OUTBOUND_ALLOWED_HOSTS). Every
 * connection checks the resolved IP address again.
 * @throws AddressRefused
 */
export function checkAddress(outbound: Outbound, url: URL): void {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) throw new AddressRefused('scheme');
  outbound.check(url);
}

/**
 * Rejects an address that a tenant sets and whose first connection would be refused.
 * @throws AddressRefused, also if the name resolves only to private addresses; not if it cannot be resolved now
 */
export async function requireAllowedAddress(outbound: Outbound, text: string): Promise<void> {
  const url = new URL(text);
  checkAddress(outbound, url);
  if (url.hostname.startsWith('[')) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS);
    outbound.lookup(url.hostname, { all: true }, (error) => {
      clearTimeout(timer);
      if (error instanceof AddressRefused) reject(error);
      else resolve();
    });
  });
}
