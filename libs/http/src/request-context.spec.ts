import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginRequest } from './request-context.js';

const THEIRS = 'a'.repeat(32);

/** @returns the trace that the answer names */
function traceOf(headers: Record<string, string>): unknown {
  const request = { headers, method: 'GET', routeOptions: { url: '/v/:path' }, is404: false };
  const answered: Record<string, unknown> = {};
  const reply = { header: (name: string, value: unknown) => (answered[name] = value) };
  beginRequest(request as unknown as FastifyRequest, reply as unknown as FastifyReply);
  return answered['x-trace-id'];
}

describe('a request', () => {
  it.each(['01', '00'])('does not appear in the trace that its caller names, with the flags %s', (flags) => {
    const sent = { traceparent: `00-${THEIRS}-${'b'.repeat(16)}-${flags}`, tracestate: 'school=1', baggage: 'a=1' };
    expect(traceOf(sent)).not.toBe(THEIRS);
  });
});
