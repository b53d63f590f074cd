import { EventEmitter } from 'node:events';
import { Dependencies } from '@classroom/platform';
import { eventually, TestStack } from '@classroom/testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../src/config.js';
import { ReplyCache } from '../src/http/reply-cache.js';
import { CacheRedis } from '../src/limits/cache-redis.js';

jest.setTimeout(60_000);

const MINUTE_MS = 60_000;
let stack: TestStack;
let cache: CacheRedis;
let replies: ReplyCache;
beforeAll(async () => {
  stack = await TestStack.parts(['redis']);
  cache = new CacheRedis({ CACHE_REDIS_URL: stack.urls.redis } as GatewayConfig, new Dependencies());
  await eventually(() => expect(cache.client.status).toBe('ready'));
  replies = new ReplyCache(cache);
}, 120_000);
afterAll(async () => {
  cache?.onApplicationShutdown();
  await stack?.stop();
});
// Redis itself keeps real time: what a claim has left is set back by hand before each renewal.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout', 'hrtime'] }));
afterEach(() => jest.useRealTimers());

/** A request with this key, which is answered when it is told to be. */
function request(key: string) {
  const raw = new EventEmitter();
  const sent: unknown[] = [];
  const reply = { raw, statusCode: 200, header: () => reply, code: () => reply, type: () => reply, send: (payload: unknown) => sent.push(payload) };
  const asked = { exchange: { caller: { kind: 'dispatch' } }, url: '/v1/ai-agent/chat', headers: { 'idempotency-key': key }, body: { text: 'Why?' } };
  const [ours, theirs] = [asked as unknown as FastifyRequest, reply as unknown as FastifyReply];
  return {
    sent,
    begin: () => replies.before(ours, theirs),
    answer: (payload: string) => replies.after(ours, theirs, payload),
    hangUp: () => raw.emit('close'),
    claim: () => ours.exchange.replyKey ?? '',
  };
}

const leftOf = (claim: string) => cache.client.ttl(claim);

describe('a request with an Idempotency-Key that takes longer than a minute', () => {
  it('keeps its claim until it is answered, and its answer for a day', async () => {
    const first = request('long');
    expect(await first.begin()).toBe(false);
    for (let third = 0; third < 9; third++) {
      await cache.client.expire(first.claim(), 5);
      jest.advanceTimersByTime(MINUTE_MS / 3);
      await eventually(async () => expect(await leftOf(first.claim())).toBeGreaterThan(50));
    }
    await expect(request('long').begin()).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    first.answer('{"text":"because"}');
    jest.advanceTimersByTime(MINUTE_MS);
    const again = request('long');
    expect(await again.begin()).toBe(true);
    expect(again.sent).toEqual(['{"text":"because"}']);
    expect(await leftOf(first.claim())).toBeGreaterThan(3600);
  });

  it('lets go of it where its caller hung up before an answer', async () => {
    const first = request('left');
    await first.begin();
    first.hangUp();
    await cache.client.expire(first.claim(), 5);
    jest.advanceTimersByTime(MINUTE_MS);
    await cache.client.ping();
    expect(await leftOf(first.claim())).toBeLessThanOrEqual(5);
  });
});
