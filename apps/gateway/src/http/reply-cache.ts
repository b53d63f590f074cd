import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { CONFIG, logger, SecretCipher } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';
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
/** Of one person in a class, over a day. */
const MAX_BYTES_OF_A_PERSON = 1024 * 1024;
/** What Redis needs for an entry besides its answer, roughly: so the budget limits the number of entries, too. */
const ENTRY_BYTES = 512;
/** Refusals that the same request meets again at any time; any other may be different once a balance, a state or a right has changed. */
const LASTING_REFUSALS = new Set([400, 410, 413, 415]);

interface Kept {
  bodyHash: string;
  status?: number;
  /** The answer, sealed: it may hold a token, or what a student asked. */
  sealed?: string;
  /** It was streamed, or could not be kept, and must not be made twice. */
  isGone?: true;
}

/**
 * The first answer to an Idempotency-Key is kept for 24 h and given again; the same key with another body is a conflict, and so is a
 * second request while the first is under way, or where a model's answer could not be kept or was streamed. A caller may fill so many
 * bytes a day; its further answers are not kept. A convenience: where an effect matters, its owner keeps the key itself, and without
 * Redis requests are served as if they had none.
 */
@Injectable()
export class ReplyCache {
  private readonly cipher: SecretCipher;
  private readonly budgets: Record<'organization' | 'person', RateLimiterRedis>;

  constructor(
    private readonly cache: CacheRedis,
    @Inject(CONFIG) { DASHBOARD_TOKEN_SECRET, KEPT_ANSWERS_MIB }: Pick<GatewayConfig, 'DASHBOARD_TOKEN_SECRET' | 'KEPT_ANSWERS_MIB'>,
  ) {
    this.cipher = new SecretCipher('classroom/gateway/kept-answers/v1', DASHBOARD_TOKEN_SECRET);
    const budget = (bytes: number) =>
      new RateLimiterRedis({ storeClient: cache.client, keyPrefix: 'kept-bytes', points: bytes, duration: KEPT_S });
    this.budgets = { organization: budget(KEPT_ANSWERS_MIB * 1024 * 1024), person: budget(MAX_BYTES_OF_A_PERSON) };
  }

  /** A caller that is not authenticated gets no place in Redis. */
  concerns({ method, headers, exchange }: FastifyRequest): boolean {
    const { endpoint, caller } = exchange;
    const isProved = caller.kind !== 'none' && caller.kind !== 'livekit';
    return method === 'POST' && endpoint?.idempotency === 'gateway' && isProved && headers['idempotency-key'] !== undefined;
  }

  /** True where the request is answered already. @throws AppError VALIDATION_FAILED, IDEMPOTENCY_CONFLICT */
  async before(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const given = checkedIdempotencyKey(request.headers['idempotency-key']);
    const key = `kept:${hashOf([callerOf(request), request.url, given])}`;
    const bodyHash = hashOf(request.body);
    const kept = await this.claim(key, bodyHash);
    if (!kept) {
      request.exchange.replyKey = key;
      this.renewUntilAnswered(request, reply, key);
      return false;
    }
    if (kept.bodyHash !== bodyHash) throw new AppError('IDEMPOTENCY_CONFLICT');
    if (kept.isGone) throw gone();
    if (kept.status === undefined || kept.sealed === undefined) {
      reply.header('retry-after', UNDER_WAY_S);
      throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'A request with this Idempotency-Key is still under way' });
    }
    const payload = this.open(key, kept.sealed);
    markReplayed(reply).code(kept.status).type('application/json; charset=utf-8');
    reply.send(payload);
    return true;
  }

  /** Keeps the answer that goes out, unless trying again could help. */
  after(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { replyKey: key, renewal } = request.exchange ?? {};
    if (!key) return;
    // Before the answer is kept: a renewal after it would shorten its life to that of a claim.
    clearInterval(renewal);
    const status = reply.statusCode;
    const isLasting = status < 300 || LASTING_REFUSALS.has(status);
    const done = isLasting ? this.keep(request, key, status, payload) : this.cache.client.del(key);
    done.catch((error: unknown) => logger.warn({ err: error }, 'an answer could not be kept'));
  }

  private async keep(request: FastifyRequest, key: string, status: number, payload: unknown): Promise<unknown> {
    const { isAnsweredOnce } = request.exchange;
    const bodyHash = hashOf(request.body);
    const isSmall = typeof payload === 'string' && payload.length <= (isAnsweredOnce ? MAX_BYTES_OF_A_MODEL : MAX_BYTES);
    const kept: Kept = isSmall ? { bodyHash, status, sealed: this.cipher.seal(key, payload) } : { bodyHash, isGone: true };
    if (!isSmall && !isAnsweredOnce) return this.cache.client.del(key);
    const keep = (it: Kept) => this.cache.client.set(key, JSON.stringify(it), 'EX', KEPT_S);
    // Both at once, and taken back if need be: who asks again right after the answer is given it.
    const [hasRoom] = await Promise.all([this.hasRoom(request, kept), keep(kept)]);
    if (hasRoom || kept.isGone) return undefined;
    return isAnsweredOnce ? keep({ bodyHash, isGone: true }) : this.cache.client.del(key);
  }

  /** Whether the caller's budget of the day has room for it; takes it. */
  private async hasRoom(request: FastifyRequest, { sealed = '' }: Kept): Promise<boolean> {
    const budget = request.exchange.caller.kind === 'participant' ? this.budgets.person : this.budgets.organization;
    const caller = createHash('sha256').update(callerOf(request)).digest('base64url');
    try {
      await budget.consume(caller, sealed.length + ENTRY_BYTES);
      return true;
    } catch (full) {
      if (full instanceof RateLimiterRes) return false;
      throw full;
    }
  }

  /** @throws AppError IDEMPOTENCY_CONFLICT where the secret that sealed it is believed no more */
  private open(key: string, sealed: string): string {
    try {
      return this.cipher.open(key, sealed);
    } catch {
      throw gone();
    }
  }

  /** Ends with the connection at the latest: whom nobody waits for any more may be asked again. */
  private renewUntilAnswered({ exchange }: FastifyRequest, reply: FastifyReply, key: string): void {
    const renew = () =>
      this.cache.client.expire(key, IN_FLIGHT_S).catch((error: unknown) => logger.warn({ err: error }, 'a claim could not be renewed'));
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

const gone = () => new AppError('IDEMPOTENCY_CONFLICT', { message: 'The answer to this Idempotency-Key was given and is not kept' });

/** Keys of different callers never meet. */
function callerOf({ exchange }: FastifyRequest): string {
  const { caller } = exchange;
  if (caller.kind === 'organization') return caller.organization.organizationId;
  if (caller.kind === 'participant') return `${caller.participant.sid}/${caller.participant.uid}`;
  if (caller.kind === 'dashboard') return `${caller.organization.organizationId}/dashboard/${caller.subject}`;
  return caller.kind;
}
