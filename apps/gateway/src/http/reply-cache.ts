import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, idempotencyKey, invalidField } from '@classroom/contracts';
import { CONFIG, logger, SecretCipher } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';
import { CacheRedis } from '../limits/cache-redis.js';
import { keyOf } from '../limits/in-progress-limit.js';

/** @throws AppError VALIDATION_FAILED that names the header */
export function checkedIdempotencyKey(key: unknown): string {
  const parsed = idempotencyKey.safeParse(key);
  if (parsed.success) return parsed.data;
  throw invalidField('Idempotency-Key', parsed.error.issues[0]?.message ?? 'is not valid', parsed.error);
}

/** Removes `isReplayed` from an owner's answer. If it is set, the owner repeated an earlier answer, and a header says so. */
export function withReplayHeader<T extends { isReplayed?: boolean | undefined }>(
  reply: FastifyReply,
  { isReplayed, ...data }: T,
): Omit<T, 'isReplayed'> {
  if (isReplayed) markReplayed(reply);
  return data;
}

const markReplayed = (reply: FastifyReply) => reply.header('idempotency-replayed', 'true');

/** Hash of a parsed body. */
export const hashOf = (body: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');

const RETENTION_S = 24 * 3600;
/** Lifetime of a claim: if its gateway dies, the key is soon free again. A request in progress renews its claim, however long it takes. */
const CLAIM_TTL_S = 60;
const CLAIM_RENEWAL_MS = 20_000;
/** `Retry-After` for a request in progress: most are done by then. */
const RETRY_AFTER_S = '1';
const MAX_ANSWER_BYTES = 256 * 1024;
/** A minute of speech in base64. */
const MAX_MODEL_ANSWER_BYTES = 4 * 1024 * 1024;
/** Per person in a class and day. */
const PERSON_BUDGET_BYTES = 1024 * 1024;
/** Approximate memory of an entry in Redis in addition to its answer, so that the budget also limits the number of entries. */
const ENTRY_BYTES = 512;
/** Rejections that a repeated request always gets. Any other may change together with a balance, a state or a permission. */
const STORED_ERRORS = new Set([400, 410, 413, 415]);

interface StoredReply {
  bodyHash: string;
  status?: number;
  /** The answer, encrypted, because it may contain a token or a student's question. */
  sealed?: string;
  /** The answer was streamed, or could not be stored, and must not be made twice. */
  isGone?: true;
}

/**
 * Stores the first answer to an Idempotency-Key for 24 h and repeats it. The result is a conflict if the same key comes with another
 * body, if the first request is still in progress, or if a model's answer was streamed or could not be stored. Each caller has a byte
 * budget per day; further answers are not stored. This is best effort: where an effect matters, its owner stores the key itself, and
 * without Redis requests are served as if they had no key.
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
      new RateLimiterRedis({ storeClient: cache.replies, keyPrefix: 'kept-bytes', points: bytes, duration: RETENTION_S });
    this.budgets = { organization: budget(KEPT_ANSWERS_MIB * 1024 * 1024), person: budget(PERSON_BUDGET_BYTES) };
  }

  /** Whether the request uses this cache. An unauthenticated caller may not fill Redis. */
  appliesTo({ method, headers, requestContext }: FastifyRequest): boolean {
    const { endpoint, caller } = requestContext;
    const isAuthenticated = caller.kind !== 'none' && caller.kind !== 'livekit';
    return method === 'POST' && endpoint?.idempotency === 'gateway' && isAuthenticated && headers['idempotency-key'] !== undefined;
  }

  /** True if the stored answer was sent. @throws AppError VALIDATION_FAILED, IDEMPOTENCY_CONFLICT */
  async replay(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const given = checkedIdempotencyKey(request.headers['idempotency-key']);
    const key = `kept:${hashOf([keyOf(request), request.url, given])}`;
    const bodyHash = hashOf(request.body);
    const stored = await this.claim(key, bodyHash);
    if (!stored) {
      request.requestContext.replyKey = key;
      this.renewUntilAnswered(request, reply, key);
      return false;
    }
    if (stored.bodyHash !== bodyHash) throw new AppError('IDEMPOTENCY_CONFLICT');
    if (stored.isGone) throw answerNotKept();
    if (stored.status === undefined || stored.sealed === undefined) {
      reply.header('retry-after', RETRY_AFTER_S);
      throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'A request with this Idempotency-Key is still in progress' });
    }
    const payload = this.open(key, stored.sealed);
    markReplayed(reply).code(stored.status).type('application/json; charset=utf-8');
    reply.send(payload);
    return true;
  }

  /** Stores the outgoing answer, unless a retry could get another one. */
  store(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { replyKey: key, renewal } = request.requestContext ?? {};
    if (!key) return;
    // Before the answer is stored: a later renewal would shorten its lifetime to that of a claim.
    clearInterval(renewal);
    const status = reply.statusCode;
    const isStored = status < 300 || STORED_ERRORS.has(status);
    const done = isStored ? this.save(request, key, status, payload) : this.cache.replies.del(key);
    done.catch((error: unknown) => logger.warn({ err: error }, 'answer could not be stored'));
  }

  private async save(request: FastifyRequest, key: string, status: number, payload: unknown): Promise<unknown> {
    const { isAnsweredOnce } = request.requestContext;
    const bodyHash = hashOf(request.body);
    const isSmall = typeof payload === 'string' && payload.length <= (isAnsweredOnce ? MAX_MODEL_ANSWER_BYTES : MAX_ANSWER_BYTES);
    const reply: StoredReply = isSmall ? { bodyHash, status, sealed: this.cipher.seal(key, payload) } : { bodyHash, isGone: true };
    if (!isSmall && !isAnsweredOnce) return this.cache.replies.del(key);
    const write = (it: StoredReply) => this.cache.replies.set(key, JSON.stringify(it), 'EX', RETENTION_S);
    // In parallel, and undone if the budget is exhausted: an immediate repetition already finds the answer.
    const [isWithinBudget] = await Promise.all([this.takeFromBudget(request, reply), write(reply)]);
    if (isWithinBudget || reply.isGone) return undefined;
    return isAnsweredOnce ? write({ bodyHash, isGone: true }) : this.cache.replies.del(key);
  }

  /** Takes the bytes of the entry from the caller's daily budget. False if the budget has no room for them. */
  private async takeFromBudget(request: FastifyRequest, { sealed = '' }: StoredReply): Promise<boolean> {
    const budget = request.requestContext.caller.kind === 'participant' ? this.budgets.person : this.budgets.organization;
    const caller = createHash('sha256').update(keyOf(request)).digest('base64url');
    try {
      await budget.consume(caller, sealed.length + ENTRY_BYTES);
      return true;
    } catch (full) {
      if (full instanceof RateLimiterRes) return false;
      throw full;
    }
  }

  /** @throws AppError IDEMPOTENCY_CONFLICT if the secret that encrypted the answer is no longer accepted */
  private open(key: string, sealed: string): string {
    try {
      return this.cipher.open(key, sealed);
    } catch {
      throw answerNotKept();
    }
  }

  /** Ends with the connection at the latest: if its caller no longer waits for the answer, the request may be repeated. */
  private renewUntilAnswered({ requestContext }: FastifyRequest, reply: FastifyReply, key: string): void {
    const renew = () =>
      this.cache.replies.expire(key, CLAIM_TTL_S).catch((error: unknown) => logger.warn({ err: error }, 'claim could not be renewed'));
    requestContext.renewal = setInterval(() => void renew(), CLAIM_RENEWAL_MS).unref();
    reply.raw.once('close', () => clearInterval(requestContext.renewal));
  }

  /** The entry stored under the key; undefined if this request now holds the claim, or if Redis does not answer. */
  private async claim(key: string, bodyHash: string): Promise<StoredReply | undefined> {
    try {
      // One command, because between two the key could expire without being claimed.
      const kept = await this.cache.replies.set(key, JSON.stringify({ bodyHash }), 'EX', CLAIM_TTL_S, 'NX', 'GET');
      return kept === null ? undefined : (JSON.parse(kept) as StoredReply);
    } catch (error) {
      logger.warn({ err: error }, 'idempotency cache unavailable');
      return undefined;
    }
  }
}

const answerNotKept = () =>
  new AppError('IDEMPOTENCY_CONFLICT', { message: 'The answer to this Idempotency-Key was given and is not kept' });
