import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import './endpoint.js';

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

type Encoding = 'br' | 'gzip';
/** In order of preference: the first one that the client accepts is used. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];
/** Minimum length: below it, the headers are larger than the savings. */
const MIN_LENGTH = 1024;
/** Level for an answer that is compressed per request: a fifth of the default's time, and nearly as small. */
const FAST_LEVEL = 4;
/** Level for a text that is compressed once: 4 MB in half a second. */
const BEST_LEVEL = 6;

/**
 * Compresses the answers of GET endpoints. Answers to POST stay uncompressed: they contain tokens together with what the caller sent, and
 * the length of a compressed answer reveals how much the two have in common (BREACH). Streams and media are not compressed either.
 */
export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' && payload.length >= MIN_LENGTH && !reply.hasHeader('content-encoding');
    if (!isText || request.method !== 'GET' || !request.requestContext?.endpoint) return done(null, payload);
    const encoding = negotiated(request, reply);
    if (!encoding) return done(null, payload);
    reply.removeHeader('content-length');
    compressed(payload, encoding, FAST_LEVEL).then(
      (body) => done(null, body),
      (error: Error) => done(error),
    );
  });
}

/** A text that is the same for everyone. It is compressed once per encoding, and not sent again to a client that has it. */
export class StaticText {
  private readonly tag: string;
  private readonly bodies = new Map<Encoding, Promise<Buffer>>();

  constructor(private readonly text: string) {
    this.tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  }

  /** Sets the answer's status and headers. @returns its body */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | string | null> {
    reply.header('etag', this.tag).header('cache-control', 'no-cache').removeHeader('content-length');
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim());
    if (known?.includes(this.tag)) {
      reply.code(304);
      return null;
    }
    const encoding = negotiated(request, reply);
    return encoding ? this.body(encoding) : this.text;
  }

  private body(encoding: Encoding): Promise<Buffer> {
    const body = this.bodies.get(encoding) ?? compressed(this.text, encoding, BEST_LEVEL);
    this.bodies.set(encoding, body);
    return body;
  }
}

const compressed = (text: string, encoding: Encoding, level: number): Promise<Buffer> =>
  encoding === 'br' ? brotlied(text, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }) : gzipped(text, { level });

/** The encoding that the client accepts. Also sets the headers for it. */
function negotiated({ headers }: FastifyRequest, reply: FastifyReply): Encoding | undefined {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  const encoding = accepted(headers['accept-encoding']);
  if (encoding) reply.header('content-encoding', encoding);
  return encoding;
}

/** @param header such as `gzip, br;q=0.5, *;q=0` */
export function accepted(header: string | string[] = ''): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of String(header).split(',')) {
    const [name = '', weight] = part.toLowerCase().split(';');
    weights.set(name.trim(), weight === undefined ? 1 : Number(weight.replace(/^\s*q\s*=/, '')));
  }
  return ENCODINGS.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0);
}
