import type { Attributes } from '@opentelemetry/api';

const DEFAULT_PORTS: Record<string, number> = {
  'http:': 80,
  'ws:': 80,
  'https:': 443,
  'wss:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
};
const known = new Map<string, Attributes>();

/**
 * Span attributes of the server that a call goes to.
 * @param address a URL or `host:port` from the configuration; each result is cached without a limit
 */
export function peerOf(address: string): Attributes {
  const peer = known.get(address) ?? readPeer(address);
  known.set(address, peer);
  return peer;
}

/** As `peerOf`, for an address that a user gave. Not cached, because there is no limit to such addresses. */
export function readPeer(address: string): Attributes {
  const { hostname, port, protocol } = new URL(address.includes('://') ? address : `tcp://${address}`);
  const number = Number(port) || DEFAULT_PORTS[protocol];
  return { 'server.address': hostname, ...(number === undefined ? {} : { 'server.port': number }) };
}
