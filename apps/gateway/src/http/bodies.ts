import { AppError } from '@classroom/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import './endpoint.js';

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

/** How much of a body is still read after its request was answered (bytes). */
const MAX_READ_BYTES = 2 * 1024 * 1024;
/** How long the client then has to read the answer and to disconnect by itself (milliseconds). */
const LINGER_MS = 5_000;

/** Whether the request has a body, according to its headers. */
export const hasBody = ({ headers }: FastifyRequest) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Lets a client read an early answer while it is still sending: if the connection closed in the middle of a body, the client would get a
 * broken pipe. A little more is read and discarded. A body that is known to be large is not read at all: its sender has to wait until the
 * gateway disconnects, which delays no other request. Slow senders are cut off all the same.
 * @param except path prefix of the routes that handle their bodies themselves
 */
export function endUnreadBodies(fastify: FastifyInstance, except: string): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (hasBody(request) && !request.raw.complete && !request.routeOptions.url?.startsWith(except)) {
      // Fastify sets this header where it stopped reading.
      reply.removeHeader('connection');
      discardBody(request);
    }
    done(null, payload);
  });
}

function discardBody({ raw, headers }: FastifyRequest): void {
  const closeConnection = () => {
    raw.pause();
    setTimeout(() => raw.socket.destroy(), LINGER_MS).unref();
  };
  // Otherwise Node discards everything that arrives for an unread request, without any limit.
  raw.read();
  if (Number(headers['content-length'] ?? 0) > MAX_READ_BYTES) return closeConnection();
  let remaining = MAX_READ_BYTES;
  raw.on('data', (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining <= 0 && !raw.isPaused()) closeConnection();
  });
  raw.resume();
}

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
