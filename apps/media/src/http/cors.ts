import type { AllowedOrigins } from '@classroom/messaging';
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

/** True where the request was a preflight of an allowed origin and is answered. */
export async function answerCors(origins: AllowedOrigins, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !(await origins.includes(origin))) return false;
  const rules = request.url.startsWith('/uploads/') ? UPLOADS : PLAYBACK;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', rules.exposed);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply.header('access-control-allow-methods', rules.methods);
  reply.header('access-control-allow-headers', rules.headers);
  reply.header('access-control-max-age', '600');
  await reply.code(204).send();
  return true;
}
