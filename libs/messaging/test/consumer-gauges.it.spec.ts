import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ConsumerDeclaration } from '@classroom/contracts';
import { eventually, TestStack } from '@classroom/testing';
import { applyStreams, connectNats, DeadLetters, DurableConsumer, oneByOne } from '../src/index.js';
import { readConsumer } from '../src/jetstream/consumer-gauges.js';

/** The metrics of a consumer, read from JetStream. */
describe('a consumer’s gauges', () => {
  const declaration: ConsumerDeclaration = {
    service: 'billing',
    stream: 'EVENTS',
    durable: 'gauged',
    filterSubjects: ['evt.room.one.>', 'evt.room.two.>'],
  };
  let stack: TestStack;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let js: JetStreamClient;
  const consumers: DurableConsumer<{ n: number }>[] = [];

  beforeAll(async () => {
    stack = await TestStack.parts(['nats']);
    connection = await connectNats(stack.urls.nats, 'test');
    await applyStreams(connection);
    manager = await jetstreamManager(connection);
    js = jetstream(connection);
    const { stream, durable, filterSubjects } = declaration;
    await manager.consumers.add(stream, {
      durable_name: durable,
      ack_policy: 'explicit',
      deliver_policy: 'all',
      filter_subjects: filterSubjects,
    });
  });

  afterAll(async () => {
    for (const consumer of consumers) await consumer.stop();
    await connection?.close();
    await stack?.stop();
  });

  const read = () => readConsumer(manager, declaration);
  const publish = (noun: string, n: number) => js.publish(`evt.room.${noun}.v1.p00`, JSON.stringify({ n }));
  const consume = (handle: (body: { n: number }) => Promise<void>) => {
    const consumer = new DurableConsumer<{ n: number }>(js, {
      declaration,
      keyOf: ({ n }) => String(n),
      concurrency: 8,
      ...oneByOne(handle),
    });
    consumers.push(consumer);
    consumer.start();
  };

  it('are zero if all messages are for others', async () => {
    await publish('other', 0);
    expect(await read()).toEqual({ waiting: 0, lagSeconds: 0, dead: 0, fill: 0 });
  });

  it('give the age of the oldest unfinished message, however many later ones are finished', async () => {
    await publish('two', 1);
    const before = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await publish('one', 2);
    await publish('one', 3);
    const first = Promise.withResolvers<void>();
    const done: number[] = [];
    consume(async ({ n }) => {
      if (n === 1) await first.promise;
      if (n === 4) throw new Error('poison');
      done.push(n);
    });
    await eventually(() => expect([...done].sort()).toEqual([2, 3]));
    await eventually(async () => expect((await read()).waiting).toBe(1));
    const { lagSeconds } = await read();
    const sinceMs = Date.now() - before;
    expect(lagSeconds * 1000).toBeGreaterThanOrEqual(1_000);
    // Not older than the message: JetStream uses this machine's clock.
    expect(lagSeconds * 1000).toBeLessThan(sinceMs + 1_000);
    first.resolve();
    await eventually(async () => expect(await read()).toEqual({ waiting: 0, lagSeconds: 0, dead: 0, fill: 0 }));
  });

  it('count dead letters until an operator replays or deletes them', async () => {
    await publish('one', 4);
    await eventually(async () => expect(await read()).toEqual({ waiting: 0, lagSeconds: 0, dead: 1, fill: 0 }));
    const letters = new DeadLetters(connection);
    const [letter] = await letters.list();
    await letters.drop(letter?.sequence ?? 0);
    await eventually(async () => expect((await read()).dead).toBe(0));
  });
});
