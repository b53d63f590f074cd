import { AppError } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import './exchange.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

const malformed = (cause: unknown) =>
  new AppError('VALIDATION_FAILED', {
    message: 'The body is not valid JSON',
    details: [{ path: '', message: cause instanceof Error ? cause.message : 'not valid JSON' }],
    cause,
  });

/** JSON, and LiveKit's webhooks as the text that was signed; anything else is 415. An empty body is no body. */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      const text = decoder.decode(body as Buffer);
      return done(null, text.trim() === '' ? undefined : JSON.parse(text));
    } catch (error) {
      return done(malformed(error));
    }
  });
  fastify.addContentTypeParser('application/webhook+json', { parseAs: 'string' }, (_, body, done) => done(null, body));
}

/** Each endpoint takes as much as its contract says. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { endpoint } = route.config ?? {};
    if (endpoint) route.bodyLimit = endpoint.bodyLimit;
  });
}
