import type { FastifyReply, FastifyRequest } from 'fastify';

/** What pages on an allowed origin may do. */
export interface CorsRules {
  methods: string;
  headers: string;
  exposed: string;
}

const PREFLIGHT_SECONDS = '600';

/** Lets the request's origin read the answer. Returns true if the request was a preflight and has been answered. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { methods, headers, exposed }: CorsRules,
  isPreflight = request.method === 'OPTIONS',
): boolean {
  reply.header('access-control-allow-origin', request.headers.origin);
  reply.header('access-control-expose-headers', exposed);
  if (!isPreflight) return false;
  reply.header('access-control-allow-methods', methods);
  reply.header('access-control-allow-headers', headers);
  reply.header('access-control-max-age', PREFLIGHT_SECONDS);
  void reply.code(204).send();
  return true;
}
