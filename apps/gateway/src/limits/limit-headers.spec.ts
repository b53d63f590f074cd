import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { AddressLimit } from './rate-limit.js';
import { rejectOverQuota, takeOne } from './limit-headers.js';

const POLICY = { name: 'things', quota: 2, windowSeconds: 60 };

function newReply() {
  const headers: Record<string, string> = {};
  return { headers, reply: { header: (name: string, value: string) => (headers[name] = value) } as unknown as FastifyReply };
}

describe('a quota', () => {
  it('is reported with each request, and rejects requests above it with the time to wait', async () => {
    const limiter = new RateLimiterMemory({ points: POLICY.quota, duration: POLICY.windowSeconds });
    const take = async () => {
      const { headers, reply } = newReply();
      const code = await takeOne(limiter, 'key', POLICY, reply).catch(({ code: refusal }: { code: string }) => refusal);
      return { code, ...headers };
    };
    const policy = '"things";q=2;w=60';
    const state = (left: number) => expect.stringMatching(new RegExp(`^"things";r=${left};t=\\d+$`)) as unknown;
    expect(await take()).toEqual({ code: undefined, 'ratelimit-policy': policy, ratelimit: state(1) });
    expect(await take()).toEqual({ code: undefined, 'ratelimit-policy': policy, ratelimit: state(0) });
    const seconds = expect.stringMatching(/^\d+$/) as unknown;
    expect(await take()).toEqual({ code: 'RATE_LIMITED', 'ratelimit-policy': policy, ratelimit: state(0), 'retry-after': seconds });
  });

  it.each([
    [1, '1'],
    [1_000, '1'],
    [1_001, '2'],
    [0, '1'],
    [-5, '1'],
  ])('with %i ms left asks to wait for %s s', (leftMs, seconds) => {
    const { headers, reply } = newReply();
    expect(rejectOverQuota(reply, POLICY, leftMs).code).toBe('RATE_LIMITED');
    expect([headers['retry-after'], headers['ratelimit']]).toEqual([seconds, `"things";r=0;t=${seconds}`]);
  });

  it('passes on an error of its limiter', async () => {
    const failure = new Error('the limiter failed');
    const limiter = { consume: () => Promise.reject(failure) } as unknown as RateLimiterAbstract;
    await expect(takeOne(limiter, 'key', POLICY, newReply().reply)).rejects.toBe(failure);
  });
});

describe('the quota of an address', () => {
  const limit = new AddressLimit({
    HEALTH_REQUESTS_PER_MINUTE: 1,
    ADMIN_REQUESTS_PER_MINUTE: 2,
    PAGE_REQUESTS_PER_MINUTE: 3,
    OPEN_REQUESTS_PER_MINUTE: 4,
  });
  const request = (ip: string) => ({ ip }) as FastifyRequest;

  it.each([
    ['health', 1],
    ['admin', 2],
    ['page', 3],
    ['open', 4],
  ] as const)('for %s is %i', async (kind, quota) => {
    const { headers, reply } = newReply();
    for (let taken = 0; taken < quota; taken++) await limit.take(kind, request(`2001:db8::${taken + 1}`), reply);
    expect(headers).toMatchObject({
      'ratelimit-policy': `"${kind}";q=${quota};w=60`,
      ratelimit: expect.stringContaining('r=0') as unknown,
    });
    await expect(limit.take(kind, request('2001:db8::9'), reply)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await limit.take(kind, request('203.0.113.8'), reply);
  });
});
