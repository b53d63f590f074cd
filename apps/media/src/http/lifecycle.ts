import { AppError } from '@classroom/contracts';
import { allowOrigin, answerFailure, beginRequest, toAppError, type AllowedOrigins, type Lifecycle } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const PLAYBACK = {
  methods: 'GET, HEAD',
  headers: 'Range, If-Range, If-None-Match',
  exposed: 'Content-Length, Content-Range, Accept-Ranges, ETag, X-Request-Id, Date',
};
const UPLOADS = {
  methods: 'HEAD, PATCH',
  headers: 'Content-Type, Tus-Resumable, Upload-Offset, X-Request-Id, X-Requested-With',
  exposed: 'Tus-Resumable, Tus-Version, Tus-Extension, Upload-Offset, Upload-Length, Upload-Expires, Retry-After, X-Request-Id, Date',
};

/** The steps around the handler of every request. */
export const lifecycleOf = (origins: AllowedOrigins, isDraining: () => boolean): Lifecycle => ({
  begin: (request, reply) => {
    begin(request, reply);
    if (isDraining()) reply.header('connection', 'close');
  },
  beforeBody: [(request, reply) => answerCors(origins, request, reply)],
  sendError,
});

export function begin(request: FastifyRequest, reply: FastifyReply): void {
  // The gateway forwards each request with its own trace.
  beginRequest(request, reply, { isTrusted: true });
  // Pages that isolate themselves (COEP) may still embed what they have a signed address for.
  reply.header('cross-origin-resource-policy', 'cross-origin');
}

/** True if the request was a preflight of an allowed origin, which is then answered. */
async function answerCors(origins: AllowedOrigins, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !(await origins.includes(origin))) return false;
  // An OPTIONS request without that header asks for the capabilities of tus.
  const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  return allowOrigin(request, reply, request.url.startsWith('/uploads/') ? UPLOADS : PLAYBACK, isPreflight);
}

export function sendError(request: FastifyRequest, reply: FastifyReply, failure: unknown): FastifyReply {
  // These headers describe the file that could not be sent, not the error.
  for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-range', 'content-length']) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  return answerFailure(request, reply, toAppError(failure));
}

export const notFound = (request: FastifyRequest, reply: FastifyReply) => sendError(request, reply, new AppError('NOT_FOUND'));
