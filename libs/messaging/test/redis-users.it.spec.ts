import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { redisOptions } from '../src/index.js';
import { redisOf, TestStack } from '@classroom/testing';

/** The queues of each app. */
const QUEUES: Record<string, string[]> = {
  organization: ['webhook-delivery'],
  room: ['room-sweep'],
  recording: ['egress-finalization', 'recording-copy', 'retention-deletion'],
  billing: ['credit-rollup'],
  media: ['transcoding'],
};
const APPS = Object.keys(QUEUES);
const GATEWAY_KEYS = ['limit:x', 'classroom:x', 'questions:x', 'kept:x', 'kept-bytes:x'];
const LIVEKIT_KEYS = ['rooms', 'nodes', 'room_participants:x', 'egress'];

/** Commands that no app may use, whatever its keys. */
const FORBIDDEN: [string, ...string[]][] = [
  ['FLUSHALL'],
  ['FLUSHDB'],
  ['SWAPDB', '0', '1'],
  ['KEYS', '*'],
  ['SCAN', '0'],
  ['RANDOMKEY'],
  ['DBSIZE'],
  ['CONFIG', 'GET', '*'],
  ['CONFIG', 'SET', 'dir', '/'],
  ['ACL', 'LIST'],
  ['CLIENT', 'LIST'],
  ['CLIENT', 'KILL', 'TYPE', 'normal'],
  ['MONITOR'],
  ['SAVE'],
  ['SHUTDOWN', 'NOSAVE'],
  ['REPLICAOF', 'NO', 'ONE'],
  ['SLOWLOG', 'GET'],
  ['SCRIPT', 'FLUSH'],
  ['FUNCTION', 'LIST'],
  ['MODULE', 'LIST'],
];

describe('a user of Redis', () => {
  let stack: TestStack;
  const clients: Redis[] = [];

  const urlOf = (user: string) => redisOf(stack, user);
  const connect = (url: string) => {
    const client = new Redis(url);
    clients.push(client);
    return client;
  };
  const answerTo = (client: Redis, [command, ...args]: [string, ...string[]]) =>
    client.call(command, ...args).then(
      () => 'done',
      (error: Error) => error.message.split(' ')[0],
    );

  beforeAll(async () => {
    stack = await TestStack.parts(['redis']);
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await stack?.stop();
  });

  it.each(APPS)('%s processes the jobs of its own queues', async (app) => {
    const connection = redisOptions(urlOf(app));
    for (const name of QUEUES[app] ?? []) {
      const queue = new Queue(name, { connection });
      const done: unknown[] = [];
      const worker = new Worker(
        name,
        async (job) => {
          if (job.attemptsMade === 0) throw new Error('again');
          done.push(job.data);
        },
        { connection, lockDuration: 1_000, stalledInterval: 200 },
      );
      try {
        const finished = new Promise((resolve) => void worker.once('completed', resolve));
        await queue.add('one', { id: name }, { delay: 50, attempts: 2, deduplication: { id: 'x' }, removeOnComplete: true });
        await finished;
        expect(done).toEqual([{ id: name }]);
        expect(await queue.getJobCounts()).toMatchObject({ waiting: 0, failed: 0 });
        const waiting = await queue.add('two', { id: name }, { delay: 60_000 });
        await waiting.changeDelay(120_000);
        await waiting.remove();
      } finally {
        await worker.close();
        await queue.close();
      }
    }
  });

  it.each([...APPS, 'gateway', 'livekit'])("%s cannot touch another's keys, not even with a script", async (user) => {
    const client = connect(urlOf(user));
    const foreign = [
      ...APPS.filter((app) => app !== user).flatMap((app) => (QUEUES[app] ?? []).map((queue) => `bull:${queue}:wait`)),
      ...(user === 'gateway' ? [] : GATEWAY_KEYS),
      ...(user === 'livekit' ? [] : LIVEKIT_KEYS),
      'bull:other:wait',
      'x',
    ];
    for (const key of foreign) {
      const attempts: [string, ...string[]][] = [
        ['GET', key],
        ['SET', key, 'x'],
        ['DEL', key],
        ['LPUSH', key, 'x'],
        ['EVAL', "return redis.call('get', KEYS[1])", '1', key],
      ];
      for (const attempt of attempts) expect([...attempt, await answerTo(client, attempt)]).toEqual([...attempt, 'NOPERM']);
      // A key that the script does not declare.
      await expect(client.eval(`return redis.call('get', '${key}')`, 0)).rejects.toThrow(
        /can't access at least one of the keys|permission/,
      );
    }
  });

  it.each([...APPS, 'gateway', 'livekit'])('%s administers nothing and searches no keys', async (user) => {
    const client = connect(urlOf(user));
    for (const command of FORBIDDEN) expect([...command, await answerTo(client, command)]).toEqual([...command, 'NOPERM']);
  });

  it.each([...APPS, 'gateway'])('%s publishes and receives no messages: these are between LiveKit and Egress', async (user) => {
    const client = connect(urlOf(user));
    for (const command of [['PUBLISH', 'a', 'b'] as const, ['SUBSCRIBE', 'a'] as const, ['PSUBSCRIBE', '*'] as const])
      expect(await answerTo(client, [...command])).toBe('NOPERM');
  });

  it('gateway counts and stores under its own keys', async () => {
    const client = connect(urlOf('gateway'));
    for (const key of GATEWAY_KEYS) {
      await client.multi().set(key, 1, 'EX', 60, 'NX').incrby(key, 2).pttl(key).exec();
      expect(await client.get(key)).toBe('3');
      expect(await client.set(key, 'claimed', 'EX', 60, 'NX', 'GET')).toBe('3');
      await client.del(key);
    }
  });

  it('is refused with a wrong password', async () => {
    const url = new URL(urlOf('room'));
    url.password = 'wrong';
    const client = new Redis(url.toString(), { lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null });
    client.on('error', () => undefined);
    await expect(client.ping()).rejects.toThrow(/WRONGPASS|NOAUTH/);
    client.disconnect();
  });
});
