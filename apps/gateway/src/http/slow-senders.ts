import type { FastifyInstance } from 'fastify';
import { hasBody } from './unread-bodies.js';

/**
 * Disconnects clients that take longer than `timeoutMs` to send a body. Node's own limit allows no exceptions, so it is off where
 * uploads pass through: an upload may take long on a slow connection.
 * @param unlimited path prefix of the routes without this limit
 */
export function cutOffSlowSenders(fastify: FastifyInstance, timeoutMs: number, unlimited: string): void {
  fastify.addHook('onRequest', (request, _, done) => {
    const { raw, routeOptions } = request;
    if (hasBody(request) && !routeOptions.url?.startsWith(unlimited)) {
      const cutOff = setTimeout(() => raw.complete || raw.socket.destroy(), timeoutMs);
      raw.once('close', () => clearTimeout(cutOff));
    }
    done();
  });
}
