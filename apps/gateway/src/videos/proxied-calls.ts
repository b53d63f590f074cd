import type { IncomingHttpHeaders } from 'node:http';
import { trace, type Span } from '@opentelemetry/api';
import { injectTrace, peerOf, SpanKind, startSpan } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';

/** Headers by which a caller would decide what is sampled, and under which trace. */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage'];

/** Requests that are passed on to the media service, each with a span. The service continues the trace and the request's id, and learns the caller's address. */
export class ProxiedCalls {
  private readonly spans = new WeakMap<object, Span>();
  private readonly peer;

  constructor(upstream: string) {
    this.peer = { 'peer.service': 'media', ...peerOf(upstream) };
  }

  /** @returns the headers to send. Neither the caller's trace nor what they say of their address is among them: the service trusts what the gateway sends. */
  begin({ raw, ip, method, requestContext }: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const rest = { ...headers };
    for (const name of TRACE_HEADERS) delete rest[name];
    const span = startSpan(method, SpanKind.CLIENT, requestContext.context, { 'http.request.method': method, ...this.peer });
    this.spans.set(raw, span);
    const own = { 'x-request-id': requestContext.requestId, 'x-forwarded-for': ip };
    return { ...rest, ...own, ...injectTrace(trace.setSpan(requestContext.context, span)) };
  }

  /** Called when the answer was sent, or when its client has disconnected. */
  end({ raw }: FastifyRequest, status: number): void {
    const span = this.spans.get(raw);
    span?.setAttribute('http.response.status_code', status);
    span?.end();
  }
}
