import type { FastifyInstance } from 'fastify';
import { hasBody } from './unread-bodies.js';

/**
 * Hangs up on whoever takes longer than `timeoutMs` to send a body. Node's own limit knows no exception, so it is off where
 * uploads pass through: those may take as long as their line is slow.
 * @param unlimited the beginning of the routes that are left alone
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
