import type { Attributes, Histogram } from '@opentelemetry/api';
import { inSpan, SpanKind } from './spans.js';

export interface ClientCall {
  /** Of the span. */
  name: string;
  method: string;
  attributes: Attributes;
  /** Seconds, by method and outcome. */
  duration: Histogram;
  /** What is counted of a failure, and what is thrown in its place. */
  outcomeOf: (error: unknown) => string;
  toError: (error: unknown) => unknown;
}

/** A call to another system: a span as a part of whatever trace it belongs to, its duration, and a failure in our own words. */
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
