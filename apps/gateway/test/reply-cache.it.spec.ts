import { EventEmitter } from 'node:events';
import {
  askTutorInClass,
  createOrganization,
  openClassroomSession,
  raiseHand,
  receiveLiveKitWebhook,
  type EndpointContract,
} from '@classroom/contracts';
import { Dependencies } from '@classroom/platform';
import { eventually, redisOf, TestStack } from '@classroom/testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../src/config.js';
import type { Caller } from '../src/http/endpoint.js';
import { ReplyCache } from '../src/http/reply-cache.js';
import { CacheRedis } from '../src/limits/cache-redis.js';

jest.setTimeout(60_000);

const CONFIG = {
  DASHBOARD_TOKEN_SECRET: ['the secret of the dashboards, long enough'] as [string],
  KEPT_ANSWERS_MIB: 1,
} satisfies Partial<GatewayConfig>;
const MINUTE_MS = 60_000;
let stack: TestStack;
let cache: CacheRedis;
let replies: ReplyCache;
beforeAll(async () => {
  stack = await TestStack.parts(['redis']);
  cache = new CacheRedis({ CACHE_REDIS_URL: redisOf(stack, 'gateway') }, new Dependencies());
  await eventually(() => expect(cache.replies.status).toBe('ready'));
  replies = new ReplyCache(cache, CONFIG);
});
afterAll(async () => {
  cache?.onApplicationShutdown();
  await stack?.stop();
});
// Redis keeps real time: before each renewal the test shortens the claim's remaining time itself.
beforeEach(() =>
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
      'hrtime',
    ],
  }),
);
afterEach(() => jest.useRealTimers());

const OPERATOR: Caller = { kind: 'dispatch', operator: { name: 'dispatch', role: 'admin' } };
const school = (organizationId: string) => ({ kind: 'organization', organization: { organizationId } }) as Caller;
const pupil = (uid: string) => ({ kind: 'participant', participant: { sid: 'RM_a', uid } }) as Caller;

/** A request with this key, which is answered when its test calls `answer`. */
function request(key: string, caller = OPERATOR, endpoint: EndpointContract = createOrganization) {
  const raw = new EventEmitter();
  const sent: unknown[] = [];
  const reply = {
    raw,
    statusCode: 200,
    header: () => reply,
    code: () => reply,
    type: () => reply,
    send: (payload: unknown) => sent.push(payload),
  };
  const asked = {
    method: 'POST',
    requestContext: { caller, endpoint },
    url: '/v1/ai-agent/chat',
    headers: { 'idempotency-key': key },
    body: { text: 'Why?' },
  };
  const [ours, theirs] = [asked as unknown as FastifyRequest, reply as unknown as FastifyReply];
  return {
    sent,
    begin: () => replies.replay(ours, theirs),
    answer: (payload: string, status = 200) => {
      reply.statusCode = status;
      replies.store(ours, theirs, payload);
    },
    isConcerned: () => replies.appliesTo(ours),
    hangUp: () => raw.emit('close'),
    claim: () => ours.requestContext.replyKey ?? '',
  };
}

const leftOf = (claim: string) => cache.replies.ttl(claim);

describe('a request with an Idempotency-Key that takes longer than a minute', () => {
  it('keeps its claim until it is answered, and its answer for a day', async () => {
    const first = request('long');
    expect(await first.begin()).toBe(false);
    for (let third = 0; third < 9; third++) {
      await cache.replies.expire(first.claim(), 5);
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

  it('releases its claim if its caller disconnected before an answer', async () => {
    const first = request('left');
    await first.begin();
    first.hangUp();
    await cache.replies.expire(first.claim(), 5);
    jest.advanceTimersByTime(MINUTE_MS);
    await cache.replies.ping();
    expect(await leftOf(first.claim())).toBeLessThanOrEqual(5);
  });
});

/** Answers a request, and waits until Redis has stored what it will keep of it. */
async function answered(key: string, payload: string, status = 200, caller = OPERATOR) {
  const first = request(key, caller);
  expect(await first.begin()).toBe(false);
  first.answer(payload, status);
  // A claim without an answer has a minute left.
  await eventually(async () => expect([await leftOf(first.claim())].filter((seconds) => seconds >= 0 && seconds <= 60)).toEqual([]));
  return first;
}

describe('a stored answer', () => {
  it.each([200, 400, 410, 413])('of status %d is replayed', async (status) => {
    await answered(`kept-${status}`, `{"status":${status}}`, status);
    const again = request(`kept-${status}`);
    expect(await again.begin()).toBe(true);
    expect(again.sent).toEqual([`{"status":${status}}`]);
  });

  it.each([401, 402, 403, 404, 409, 422, 429, 500, 503])('of status %d does not exist: its key may be used again', async (status) => {
    await answered(`refused-${status}`, '{}', status);
    expect(await request(`refused-${status}`).begin()).toBe(false);
  });

  it.each([
    [256 * 1024, true],
    [256 * 1024 + 1, false],
  ])('of %i bytes is kept: %s', async (bytes, isKept) => {
    await answered(`bytes-${bytes}`, 'x'.repeat(bytes), 200, school('of large answers'));
    expect(await request(`bytes-${bytes}`, school('of large answers')).begin()).toBe(isKept);
  });

  it('is sealed in Redis', async () => {
    const first = await answered('sealed', '{"token":"eyJ0b2tlbg"}');
    expect(await cache.replies.get(first.claim())).not.toContain('eyJ0b2tlbg');
  });

  it.each([
    ['stranger', { kind: 'none' }, receiveLiveKitWebhook],
    ['stranger whose endpoint lists it', { kind: 'none' }, createOrganization],
    ['pupil who opens a session', pupil('mia'), openClassroomSession],
    ['pupil who raises a hand', pupil('mia'), raiseHand],
  ] as [string, Caller, EndpointContract][])('is never made for the request of a %s', (_, caller, endpoint) => {
    expect(request('any', caller, endpoint).isConcerned()).toBe(false);
  });

  it('is made for the tutor question of a student', () => {
    expect(request('any', pupil('mia'), askTutorInClass).isConcerned()).toBe(true);
  });

  it('is not made after its caller used up the budget of the day, but is for another caller', async () => {
    const answer = JSON.stringify('x'.repeat(200 * 1024));
    const full = async (caller: Caller) => {
      for (let count = 0; count < 3; count++) await answered(`large-${count}`, answer, 200, caller);
      const last = await answered('one-too-many', answer, 200, caller);
      await eventually(async () => expect(await cache.replies.exists(last.claim())).toBe(0));
      return [await request('large-2', caller).begin(), await request('one-too-many', caller).begin()];
    };
    expect(await full(school('one'))).toEqual([true, false]);
    expect(await full(pupil('ben'))).toEqual([true, false]);
    await answered('large', answer, 200, school('other'));
    expect(await request('large', school('other')).begin()).toBe(true);
  });
});
