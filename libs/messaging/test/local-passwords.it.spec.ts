import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { TestStack } from '@classroom/testing';

describe('a local user without secrets.json', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await TestStack.parts(['nats', 'redis']);
  });
  afterAll(() => stack.stop());

  it('is refused by NATS', async () => {
    await expect(connect({ servers: stack.nats.servers, reconnect: false })).rejects.toThrow(/authorization/i);
    await (await connect(stack.nats)).close();
  });

  it('is refused by Redis', async () => {
    const ping = async (url: string) => {
      const redis = new Redis(url, { lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null });
      try {
        return await redis.ping();
      } finally {
        redis.disconnect();
      }
    };
    const { host } = new URL(stack.urls.redis);
    await expect(ping(`redis://${host}`)).rejects.toThrow('NOAUTH');
    expect(await ping(stack.urls.redis)).toBe('PONG');
  });
});
