import { Dependencies } from '@classroom/platform';
import { redisOf, TestStack } from '@classroom/testing';
import type { FastifyReply } from 'fastify';
import { CacheRedis } from '../src/limits/cache-redis.js';
import { PersonLimit } from '../src/limits/rate-limit.js';

jest.setTimeout(60_000);

let stack: TestStack;
const caches: CacheRedis[] = [];
beforeAll(async () => {
  stack = await TestStack.parts(['redis']);
});
afterAll(async () => {
  for (const cache of caches) cache.onApplicationShutdown();
  await stack?.stop();
});

/** Another gateway on the same Redis. */
async function gateway() {
  const cache = new CacheRedis({ CACHE_REDIS_URL: redisOf(stack, 'gateway') }, new Dependencies());
  caches.push(cache);
  // As at a gateway's start: the first request is counted with those of the other gateways.
  await cache.onModuleInit();
  const limit = new PersonLimit({ CLASSROOM_REQUESTS_PER_MINUTE: 60 }, cache);
  const take = (kind: 'requests' | 'questions') => async (sid: string, uid: string) => {
    const headers: Record<string, string> = {};
    const reply = { header: (name: string, value: string) => (headers[name] = value) } as unknown as FastifyReply;
    await limit.take(kind, { sid, uid }, reply);
    return headers;
  };
  return { ask: take('questions'), call: take('requests') };
}

test('each participant may ask 20 times a minute in each class over all gateways', async () => {
  const [one, other] = [await gateway(), await gateway()];
  for (let asked = 0; asked < 20; asked++) await (asked % 2 ? one : other).ask('RM_a', 'mia');
  for (const { ask } of [one, other]) await expect(ask('RM_a', 'mia')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await one.ask('RM_a', 'ben')).toMatchObject({ ratelimit: expect.stringContaining('r=19') });
  expect(await other.ask('RM_b', 'mia')).toMatchObject({ ratelimit: expect.stringContaining('r=19') });
});

test('each participant may call 60 times a minute over all gateways, independently of other quotas', async () => {
  const [one, other] = [await gateway(), await gateway()];
  for (let called = 0; called < 60; called++) await (called % 2 ? one : other).call('RM_d', 'mia');
  for (const { call } of [one, other]) await expect(call('RM_d', 'mia')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await one.call('RM_d', 'ben')).toMatchObject({ 'ratelimit-policy': '"classroom";q=60;w=60' });
  expect(await other.ask('RM_d', 'mia')).toMatchObject({ ratelimit: expect.stringContaining('r=19') });
});

test('each gateway counts by itself while Redis is unreachable', async () => {
  const { ask } = await gateway();
  await stack.part('redis').stop();
  for (let asked = 0; asked < 20; asked++) await ask('RM_c', 'mia');
  await expect(ask('RM_c', 'mia')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('a gateway starts at once while Redis refuses connections', async () => {
  const { ask } = await gateway();
  expect(await ask('RM_e', 'mia')).toMatchObject({ ratelimit: expect.stringContaining('r=19') });
});
