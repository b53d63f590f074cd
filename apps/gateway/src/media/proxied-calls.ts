import type { IncomingHttpHeaders } from 'node:http';
import { trace, type Span } from '@opentelemetry/api';
import { GATEWAY_HEADER } from '@classroom/messaging';
import { injectTrace, peerOf, SpanKind, startSpan } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';

/** Headers by which a caller would decide what is sampled, and under which trace; and the one that says that we decided. */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage', GATEWAY_HEADER];

/** Requests that are passed on to the media service, each with a span. The service continues the trace and the request's id, and learns the caller's address. */
export class ProxiedCalls {
  private readonly spans = new WeakMap<object, Span>();
  private readonly peer;

  /** @param own the gateway's statement about itself: with it, the service continues our trace and no other */
  constructor(
    upstream: string,
    private readonly own: () => string | undefined,
  ) {
    this.peer = { 'peer.service': 'media', ...peerOf(upstream) };
  }

  /** @returns the headers to send. Neither the caller's trace nor what they say of their address is among them: the service trusts what the gateway sends. */
  begin({ raw, ip, method, requestContext }: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const rest = { ...headers };
    for (const name of TRACE_HEADERS) delete rest[name];
    const span = startSpan(method, SpanKind.CLIENT, requestContext.context, { 'http.request.method': method, ...this.peer });
    this.spans.set(raw, span);
    const own = { 'x-request-id': requestContext.requestId, 'x-forwarded-for': ip, [GATEWAY_HEADER]: this.own() };
    return { ...rest, ...own, ...injectTrace(trace.setSpan(requestContext.context, span)) };
  }

  /** Called when the answer was sent, or when its client has disconnected. */
  end({ raw }: FastifyRequest, status: number): void {
    const span = this.spans.get(raw);
    span?.setAttribute('http.response.status_code', status);
    span?.end();
  }
}
