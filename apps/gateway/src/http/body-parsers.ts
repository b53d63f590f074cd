import { AppError } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import './request-context.js';
import { hasBody } from './unread-bodies.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

const malformed = (cause: unknown) =>
  new AppError('VALIDATION_FAILED', {
    message: 'The body is not valid JSON',
    details: [{ path: '', message: reasonOf(cause) }],
    cause,
  });

/** Where the text stops being JSON. V8's own message quotes the text, which may be a person's. */
function reasonOf(cause: unknown): string {
  if (cause instanceof TypeError) return 'must be UTF-8';
  const position = cause instanceof Error ? /at position (\d+)/.exec(cause.message)?.[1] : undefined;
  return position === undefined
    ? 'must be one complete JSON value'
    : `must be one complete JSON value: unexpected character at position ${position}`;
}

/** Maximum nesting of objects and arrays. Code that serializes JSON calls itself for each level, until its stack overflows. */
const MAX_DEPTH = 100;

const tooDeep = () =>
  new AppError('VALIDATION_FAILED', {
    message: 'The body is nested too deeply',
    details: [{ path: '', message: `must be at most ${MAX_DEPTH} objects and arrays deep` }],
  });

/** Walks through the value level by level, so that its own stack does not grow with the depth. */
function isDeeper(value: unknown, maxDepth: number): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Accepts JSON, and LiveKit's webhooks as the text that was signed; anything else is 415. An empty body counts as no body. */
export function registerBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('preParsing', (request, _, __, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    // Routes without an endpoint pass bodies on unchanged.
    const isRefused = encoding !== 'identity' && request.requestContext.endpoint !== undefined && hasBody(request);
    done(isRefused ? new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'The body must come without a Content-Encoding' }) : null);
  });
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      const text = decoder.decode(body as Buffer);
      const value: unknown = text.trim() === '' ? undefined : JSON.parse(text);
      return isDeeper(value, MAX_DEPTH) ? done(tooDeep()) : done(null, value);
    } catch (error) {
      return done(malformed(error));
    }
  });
  fastify.addContentTypeParser('application/webhook+json', { parseAs: 'string' }, (_, body, done) => done(null, body));
}

/** Sets the body limit of each endpoint from its contract. */
export function limitBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { endpoint } = route.config ?? {};
    if (endpoint) route.bodyLimit = endpoint.bodyLimit;
  });
}
