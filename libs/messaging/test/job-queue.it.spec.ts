import { z } from 'zod';
import { defineJob } from '@classroom/contracts';
import { eventually, redisOf, TestStack } from '@classroom/testing';
import { JobQueue, redisOptions } from '../src/index.js';

const contract = defineJob({ queue: 'credit-rollup', data: z.object({ id: z.string() }), keyOf: ({ id }) => id });

describe('a queue of jobs', () => {
  let stack: TestStack;
  let queue: JobQueue<typeof contract>;
  const ran: string[] = [];

  beforeAll(async () => {
    stack = await TestStack.parts(['redis']);
    queue = new JobQueue(contract, redisOptions(redisOf(stack, 'billing')));
  });
  afterEach(() => ran.splice(0));
  afterAll(async () => {
    await queue?.close();
    await stack?.stop();
  });

  const work = (run: (id: string) => Promise<void> = () => Promise.resolve()) =>
    queue.work(2, async ({ id }) => {
      ran.push(id);
      await run(id);
    });

  it('takes a subject once while its job waits or runs, and again afterwards', async () => {
    // The first one waits until Redis is reached.
    await eventually(async () => expect(await queue.add([{ id: 'a' }, { id: 'b' }])).toBe(true));
    expect(await queue.add([{ id: 'a' }])).toBe(true);
    const worker = work();
    await eventually(() => expect(ran.toSorted()).toEqual(['a', 'b']));
    await eventually(async () => {
      await queue.add([{ id: 'a' }]);
      expect(ran.filter((id) => id === 'a')).toHaveLength(2);
    });
    await worker.stop();
  });

  it('runs a job again that failed', async () => {
    const worker = work(() => (ran.length < 2 ? Promise.reject(new Error('failed once')) : Promise.resolve()));
    await queue.add([{ id: 'c' }]);
    await eventually(() => expect(ran).toEqual(['c', 'c']));
    await worker.stop();
  });

  it('waits at shutdown for the jobs in progress, and takes no other', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const worker = work(() => promise);
    await queue.add([{ id: 'd' }, { id: 'e' }, { id: 'f' }]);
    await eventually(() => expect(ran).toHaveLength(2));
    const stopped = worker.stop();
    resolve();
    await stopped;
    expect(ran).toHaveLength(2);
  });

  it('refuses jobs while Redis is unreachable, does not collect them, and takes them afterwards', async () => {
    await stack.part('redis').kill();
    expect(await queue.add([{ id: 'g' }])).toBe(false);
    for (let n = 0; n < 20; n++) expect(await queue.add([{ id: `h${n}` }])).toBe(false);
    await stack.part('redis').start();
    await eventually(async () => expect(await queue.add([{ id: 'i' }])).toBe(true));
    const worker = work();
    await eventually(() => expect(ran).toContain('i'));
    expect(ran.filter((id) => id.startsWith('h'))).toEqual([]);
    await worker.stop();
  });

  it('and its workers end although Redis is unreachable', async () => {
    const unreachable = new JobQueue(contract, redisOptions('redis://127.0.0.1:1'));
    const worker = unreachable.work(1, () => Promise.resolve());
    expect(await unreachable.add([{ id: 'j' }])).toBe(false);
    await worker.stop();
    await unreachable.close();
  });
});
