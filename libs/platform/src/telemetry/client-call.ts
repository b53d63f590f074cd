import type { Attributes, Histogram } from '@opentelemetry/api';
import { inSpan, SpanKind } from './spans.js';

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
