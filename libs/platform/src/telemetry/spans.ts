import {
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';
import { AppError } from '@classroom/contracts';
import { messageOf } from '../logger.js';

export { SpanKind };
const tracer = trace.getTracer('virtual-classroom');
const INVALID_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  links?: Link[];
  /** The remote parent; by default the active span is the parent. */
  parent?: Context;
  /** Create the span only inside a trace: otherwise each polling loop would create many traces. */
  requireParent?: boolean;
}

/** Runs `work` inside a span, which ends with it and records its failure. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = options.parent ?? context.active();
  const above = trace.getSpan(parent);
  // A trace that is not sampled is not recorded, so its first span serves for all work below it (our samplers are parent-based).
  if (above && !isSampled(above)) return options.parent ? context.with(parent, work, undefined, above) : work(above);
  const { kind = SpanKind.INTERNAL, attributes, links, requireParent } = options;
  if (requireParent && !above) return work(INVALID_SPAN);
  const span = tracer.startSpan(name, { kind, attributes: attributes ?? {}, links: links ?? [] }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    recordFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** One of several messages that are handled together. */
export interface MessageSpan {
  /** W3C trace context of its parent: null for none, undefined for the active span. */
  traceparent: string | null | undefined;
  attributes: Attributes;
}

/** The span of one of several messages, for the work on it. */
export interface MessageScope {
  /** W3C trace context of the span; null without a trace. */
  traceparent: string | null;
  annotate: (attributes: Attributes) => void;
}

/**
 * Runs `work` for several messages, with one span in the trace of each. The spans of the work itself belong to the trace of the first sampled
 * message; the spans of the others link to that one.
 */
export async function inSpans<T>(
  name: string,
  { kind, requireParent }: Pick<SpanOptions, 'requireParent'> & { kind: SpanKind },
  messages: readonly MessageSpan[],
  work: (scopes: readonly MessageScope[]) => Promise<T>,
): Promise<T> {
  const count = messages.length > 1 ? { 'messaging.batch.message_count': messages.length } : {};
  let main: Span | undefined;
  const spans = messages.map(({ traceparent, attributes }) => {
    const parent = traceparent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, traceparent ? { traceparent } : {});
    const above = trace.getSpan(parent);
    // A trace that is not sampled is not recorded: its context is passed on as it came.
    if (above ? !isSampled(above) : requireParent) return { context: parent, span: undefined };
    const links = main ? [{ context: main.spanContext() }] : [];
    const span = tracer.startSpan(name, { kind, attributes: { ...attributes, ...count }, links }, parent);
    if (span.isRecording()) main ??= span;
    return { context: trace.setSpan(parent, span), span };
  });
  const active = spans.find(({ span }) => span === main) ?? spans[0];
  try {
    const scopes = spans.map(({ context: of, span }) => ({
      traceparent: injectTrace(of)['traceparent'] ?? null,
      annotate: (attributes: Attributes) => void span?.setAttributes(attributes),
    }));
    return await context.with(active?.context ?? ROOT_CONTEXT, work, undefined, scopes);
  } catch (error) {
    for (const { span } of spans) if (span) recordFailure(span, error);
    throw error;
  } finally {
    for (const { span } of spans) span?.end();
  }
}

/** For work that is too much later to be part of the trace `since` (W3C traceparent): starts a new trace with a link to it. */
export function inLinkedSpan<T>(
  name: string,
  { since, ...options }: SpanOptions & { since: string | null | undefined },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return inSpan(name, { ...options, parent: ROOT_CONTEXT }, (span) => {
    linkTo(since);
    return work(span);
  });
}

function isSampled(span: Span): boolean {
  const spanContext = span.spanContext();
  return !isSpanContextValid(spanContext) || (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0;
}

/**
 * Whether the current work belongs to a sampled trace. Also true for work that continues after the trace's span has ended, such
 * as a streamed answer.
 */
export function isTraced(): boolean {
  const active = trace.getActiveSpan()?.spanContext();
  return active !== undefined && isSpanContextValid(active) && (active.traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** A declared refusal is only an attribute; an unknown failure or an unreachable dependency marks the span as an error. */
export function recordFailure(span: Span, error: unknown): void {
  const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
  span.setAttribute('error.type', code);
  if (!(error instanceof AppError) || error.kind === 'internal' || error.kind === 'unavailable') {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? messageOf(error) : String(error) });
  }
}

export const startSpan = (name: string, kind: SpanKind, parent: Context, attributes: Attributes) =>
  tracer.startSpan(name, { kind, attributes }, parent);

/** W3C trace context of the active span, for outgoing messages. Empty without a trace. */
export function injectTrace(from: Context = context.active()): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(from, carrier);
  return carrier;
}

export function extractTrace(carrier: Record<string, string | string[] | undefined>): Context {
  return propagation.extract(context.active(), carrier);
}

/** W3C traceparent of the active span, to store with work that continues later. Null without a trace. */
export const currentTraceparent = (): string | null => injectTrace()['traceparent'] ?? null;

const linked = new WeakMap<Span, Set<string>>();

/** Links a span, by default the active one, to another trace whose work it continues without being part of it. Safe to repeat. */
export function linkTo(traceparent: string | null | undefined, span = trace.getActiveSpan()): void {
  if (!traceparent || !span?.isRecording()) return;
  const earlier = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
  const known = linked.get(span) ?? new Set();
  if (!earlier || earlier.traceId === span.spanContext().traceId || known.has(earlier.spanId)) return;
  linked.set(span, known.add(earlier.spanId));
  span.addLink({ context: earlier });
}

/** Adds attributes to the active span that help to find it: only our own ids, never a caller's. */
export const annotate = (attributes: Attributes) => trace.getActiveSpan()?.setAttributes(attributes);
