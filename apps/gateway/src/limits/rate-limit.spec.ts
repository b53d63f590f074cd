import { RateLimiterMemory, type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible';
import { LeasingLimiter } from './rate-limit.js';

/** Several gateways with one shared count, which counts how often it is asked. */
function gateways(quota: number, count = 2, duration = 60) {
  const store = new RateLimiterMemory({ points: quota, duration });
  let asked = 0;
  const shared: Pick<RateLimiterAbstract, 'consume'> = {
    consume: (key, points) => {
      asked += 1;
      return store.consume(key, points);
    },
  };
  const limiters = Array.from({ length: count }, () => new LeasingLimiter(shared, quota));
  const [first] = limiters as [LeasingLimiter];
  return { limiters, first, asked: () => asked };
}

/** @returns how many requests were left after an admitted one; undefined if it was refused */
const take = (limiter: LeasingLimiter, key = 'school') =>
  limiter.consume(key).then(
    ({ remainingPoints }) => remainingPoints,
    () => undefined,
  );
async function takeMany(limiters: LeasingLimiter[], times: number): Promise<number[]> {
  const admitted: number[] = [];
  for (let n = 0; n < times; n += 1)
    admitted.push(...[await take(limiters[n % limiters.length] as LeasingLimiter)].flatMap((it) => it ?? []));
  return admitted;
}

describe('a quota that gateways take in blocks', () => {
  it('needs one round trip for a hundredth of the quota', async () => {
    const { first, asked } = gateways(1_000, 1);
    const admitted = await takeMany([first], 1_200);
    expect(admitted).toEqual(Array.from({ length: 1_000 }, (_, n) => 999 - n));
    expect(asked()).toBe(100);
  });

  it.each([1, 7, 60, 199, 240, 1_000, 10_050])(
    'of %i is admitted exactly if all gateways use their blocks, each request with its own rest',
    async (quota) => {
      const { limiters } = gateways(quota, 3);
      const admitted = await takeMany(limiters, quota + 300);
      expect(admitted).toHaveLength(quota);
      expect(new Set(admitted).size).toBe(quota);
      expect(Math.min(...admitted)).toBe(0);
    },
  );

  it('leaves at most a block of a gateway unused', async () => {
    const { limiters, first } = gateways(1_000);
    await take(limiters[1] as LeasingLimiter);
    const admitted = (await takeMany([first], 1_100)).length + 1;
    expect(admitted).toBeGreaterThan(1_000 - 10);
    expect(admitted).toBeLessThanOrEqual(1_000);
  });

  it('is exact below a hundred', async () => {
    const { limiters, first } = gateways(20);
    await take(limiters[1] as LeasingLimiter);
    expect(await takeMany([first], 30)).toHaveLength(19);
  });

  it('is not exceeded by requests at the same time', async () => {
    const { limiters } = gateways(500, 3);
    const answers = await Promise.all(Array.from({ length: 900 }, (_, n) => take(limiters[n % 3] as LeasingLimiter)));
    const admitted = answers.filter((it) => it !== undefined);
    expect(admitted).toHaveLength(500);
    expect(new Set(admitted).size).toBe(500);
  });

  it('refuses with the time until the next window, and then begins again', async () => {
    const { first, asked } = gateways(2, 1, 1);
    await takeMany([first], 2);
    const refused = (await first.consume('school').catch((state: unknown) => state)) as RateLimiterRes;
    expect(refused.remainingPoints).toBe(0);
    expect(refused.msBeforeNext).toBeGreaterThan(0);
    expect(refused.msBeforeNext).toBeLessThanOrEqual(1_000);
    const before = asked();
    await takeMany([first], 20);
    expect(asked()).toBe(before);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await take(first)).toBe(1);
  });

  it('is counted for each caller', async () => {
    const { first } = gateways(1, 1);
    expect([await take(first, 'a'), await take(first, 'a'), await take(first, 'b')]).toEqual([0, undefined, 0]);
  });

  it('passes on an error of the shared count, and asks it again', async () => {
    const failure = new Error('unreachable');
    const consume = jest.fn().mockRejectedValueOnce(failure);
    const limiter = new LeasingLimiter({ consume }, 10);
    await expect(limiter.consume('school')).rejects.toBe(failure);
    const shared = new RateLimiterMemory({ points: 10, duration: 60 });
    consume.mockImplementation((key: string, points: number) => shared.consume(key, points));
    expect(await take(limiter)).toBe(9);
  });
});
