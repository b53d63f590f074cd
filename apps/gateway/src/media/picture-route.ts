import { AppError } from '@classroom/contracts';
import { PICTURES } from '@classroom/platform';
import type { FastifyInstance } from 'fastify';
import { sendError } from '../http/envelope.js';
import type { PictureProxy } from './picture-proxy.js';

const SHOWN = 'private, max-age=3600';
const FIXED = 'public, max-age=31536000, immutable';
const MISSING = 'private, max-age=60';

/** Serves photos and logos at sealed paths. No credential is needed, because an `<img>` sends none: only who has the path can ask for it. */
export function registerPictures(fastify: FastifyInstance, pictures: PictureProxy): void {
  // A parameter of the router may not be as long as a sealed address.
  fastify.get<{ Params: { '*': string } }>(`${PICTURES}*`, async (request, reply) => {
    reply.header('content-security-policy', `default-src 'none'; sandbox`);
    reply.header('cross-origin-resource-policy', 'cross-origin');
    reply.header('referrer-policy', 'no-referrer');
    try {
      const { type, body, isFixed } = await pictures.find(request.params['*']);
      return await reply
        .header('cache-control', isFixed ? FIXED : SHOWN)
        .type(type)
        .send(body);
    } catch (error) {
      const isMissing = error instanceof AppError && error.code === 'NOT_FOUND';
      reply.header('cache-control', isMissing ? MISSING : 'no-store');
      return sendError(request, reply, error);
    }
  });
}
