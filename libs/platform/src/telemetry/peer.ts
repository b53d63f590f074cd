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

/** Whom a call goes to. @param address a URL or `host:port`, of those that are configured: each is kept */
export function peerOf(address: string): Attributes {
  const peer = known.get(address) ?? readPeer(address);
  known.set(address, peer);
  return peer;
}

/** The same of an address that a user gave, of which there is no end: none is kept. */
export function readPeer(address: string): Attributes {
  const { hostname, port, protocol } = new URL(address.includes('://') ? address : `tcp://${address}`);
  const number = Number(port) || DEFAULT_PORTS[protocol];
  return { 'server.address': hostname, ...(number === undefined ? {} : { 'server.port': number }) };
}
