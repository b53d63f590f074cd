import { basename } from 'node:path';
import type { Attributes, Histogram, Span } from '@opentelemetry/api';
import { inSpan, SpanKind } from './spans.js';

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

export interface ClientCall {
  /** Name of the span. */
  name: string;
  method: string;
  attributes: Attributes;
  /** In seconds, by method and outcome. */
  duration: Histogram;
  /** `outcomeOf`: the outcome to record for a failure. `toError`: the error to throw in its place. */
  outcomeOf: (error: unknown) => string;
  toError: (error: unknown) => unknown;
}

/** Wraps a call to another system: creates a span if there is a trace, records the duration, and converts a failure into our own error. */
export function clientCall<T>({ name, method, attributes, duration, outcomeOf, toError }: ClientCall, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  return inSpan(name, { kind: SpanKind.CLIENT, attributes, requireParent: true }, async () => {
    let outcome = 'OK';
    try {
      return await work();
    } catch (error) {
      outcome = outcomeOf(error);
      throw toError(error);
    } finally {
      duration.record((performance.now() - started) / 1000, { method, outcome });
    }
  });
}

/** Creates a span for a program that runs to its end, if there is a trace. */
export function inProgramSpan<T>(file: string, work: (span: Span) => Promise<T>): Promise<T> {
  const name = basename(file);
  return inSpan(name, { kind: SpanKind.CLIENT, attributes: { 'process.executable.name': name }, requireParent: true }, work);
}
