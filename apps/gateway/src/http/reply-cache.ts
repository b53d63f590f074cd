import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { logger } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CacheRedis } from '../limits/cache-redis.js';
import { checkedIdempotencyKey, hashOf, markReplayed } from './idempotency-key.js';

const KEPT_S = 24 * 3600;
/** A request whose gateway died must not block its key for long; one that is under way renews its claim, however long it takes. */
const IN_FLIGHT_S = 60;
const RENEW_EVERY_MS = 20_000;
/** Most requests are done by then. */
const UNDER_WAY_S = '1';
const MAX_BYTES = 256 * 1024;
/** A minute of speech in base64. */
const MAX_BYTES_OF_A_MODEL = 4 * 1024 * 1024;

interface Kept {
  bodyHash: string;
  status?: number;
  payload?: string;
  /** It was streamed, or is too large to keep, and must not be made twice. */
  isGone?: true;
}

/**
 * The first answer to an Idempotency-Key is kept for 24 h and given again; the same key with another body is a conflict, and so is a
 * second request while the first is under way, or where a model's answer was too large to keep or streamed. A convenience: where an
 * effect matters, its owner keeps the key itself, and without Redis requests are served as if they had none.
 */
@Injectable()
export class ReplyCache {
  constructor(private readonly cache: CacheRedis) {}

  concerns(request: FastifyRequest): boolean {
    const { endpoint } = request.exchange;
    return request.method === 'POST' && endpoint?.idempotency === 'gateway' && request.headers['idempotency-key'] !== undefined;
  }

  /** True where the request is answered already. @throws AppError VALIDATION_FAILED, IDEMPOTENCY_CONFLICT */
  async before(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const given = checkedIdempotencyKey(request.headers['idempotency-key']);
    const key = `reply:${hashOf([callerOf(request), request.url, given])}`;
    const bodyHash = hashOf(request.body);
    const kept = await this.claim(key, bodyHash);
    if (!kept) {
      request.exchange.replyKey = key;
      this.renewUntilAnswered(request, reply, key);
      return false;
    }
    if (kept.bodyHash !== bodyHash) throw new AppError('IDEMPOTENCY_CONFLICT');
    if (kept.isGone) {
      throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'The answer to this Idempotency-Key was given and is not kept' });
    }
    if (kept.status === undefined) {
      reply.header('retry-after', UNDER_WAY_S);
      throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'A request with this Idempotency-Key is still under way' });
    }
    markReplayed(reply).code(kept.status).type('application/json; charset=utf-8');
    reply.send(kept.payload);
    return true;
  }

  /** Keeps the answer that goes out, whatever it is, unless trying again could help. */
  after(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { replyKey: key, isAnsweredOnce, renewal } = request.exchange ?? {};
    if (!key) return;
    // Before the answer is kept: a renewal after it would shorten its life to that of a claim.
    clearInterval(renewal);
    const status = reply.statusCode;
    const maxBytes = isAnsweredOnce ? MAX_BYTES_OF_A_MODEL : MAX_BYTES;
    const isKept = typeof payload === 'string' && payload.length <= maxBytes;
    const isLasting = status < 500 && status !== 429 && (isKept || isAnsweredOnce);
    const bodyHash = hashOf(request.body);
    const kept: Kept = isKept ? { bodyHash, status, payload } : { bodyHash, isGone: true };
    const done = isLasting ? this.cache.client.set(key, JSON.stringify(kept), 'EX', KEPT_S) : this.cache.client.del(key);
    done.catch((error: unknown) => logger.warn({ err: error }, 'an answer could not be kept'));
  }

  /** Ends with the connection at the latest: whom nobody waits for any more may be asked again. */
  private renewUntilAnswered({ exchange }: FastifyRequest, reply: FastifyReply, key: string): void {
    const renew = () => this.cache.client.expire(key, IN_FLIGHT_S).catch((error: unknown) => logger.warn({ err: error }, 'a claim could not be renewed'));
    exchange.renewal = setInterval(() => void renew(), RENEW_EVERY_MS).unref();
    reply.raw.once('close', () => clearInterval(exchange.renewal));
  }

  /** What is kept under the key; nothing where it is ours now, or where Redis can't say. */
  private async claim(key: string, bodyHash: string): Promise<Kept | undefined> {
    try {
      // In one step: between two the key could go, and nobody would have claimed it.
      const kept = await this.cache.client.set(key, JSON.stringify({ bodyHash }), 'EX', IN_FLIGHT_S, 'NX', 'GET');
      return kept === null ? undefined : (JSON.parse(kept) as Kept);
    } catch (error) {
      logger.warn({ err: error }, 'kept answers are out of reach');
      return undefined;
    }
  }
}

/** Keys of different callers never meet. */
function callerOf({ exchange }: FastifyRequest): string {
  const { caller } = exchange;
  if (caller.kind === 'organization') return caller.organization.organizationId;
  if (caller.kind === 'participant') return `${caller.participant.sid}/${caller.participant.uid}`;
  if (caller.kind === 'dashboard') return `${caller.organization.organizationId}/dashboard/${caller.subject}`;
  return caller.kind;
}
