import type { IncomingHttpHeaders } from 'node:http';
import { trace, type Span } from '@opentelemetry/api';
import { injectTrace, peerOf, SpanKind, startSpan } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';

/** What is passed on to the media service, each as a span, behind which the trace and the request's id go on there. */
export class ProxiedCalls {
  private readonly spans = new WeakMap<object, Span>();
  private readonly peer;

  constructor(upstream: string) {
    this.peer = { 'peer.service': 'media', ...peerOf(upstream) };
  }

  /** @returns the headers to send */
  begin({ raw, method, exchange }: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
    const span = startSpan(method, SpanKind.CLIENT, exchange.context, { 'http.request.method': method, ...this.peer });
    this.spans.set(raw, span);
    return { ...headers, 'x-request-id': exchange.requestId, ...injectTrace(trace.setSpan(exchange.context, span)) };
  }

  /** Once the answer was sent, or has nobody left to be sent to. */
  end({ raw }: FastifyRequest, status: number): void {
    const span = this.spans.get(raw);
    span?.setAttribute('http.response.status_code', status);
    span?.end();
  }
}
