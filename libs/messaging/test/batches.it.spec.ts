import { randomUUID } from 'node:crypto';
import { AppError, defineEvent, eventSubject, type ConsumerDeclaration, type EventEnvelope } from '@classroom/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { SystemClock } from '@classroom/platform';
import { eventually } from '@classroom/testing';
import { z } from 'zod';
import { acceptNew, DeadLetters, DurableConsumer, fact, GroupedPublisher, Outbox, OutboxRelay, type Delivery } from '../src/index.js';
import { MessagingFixture } from './support/messaging-fixture.js';

type Counted = EventEnvelope<{ n: number }>;
const counted = defineEvent({ service: 'room', noun: 'batch', happened: 'counted', data: z.object({ n: z.number() }) });

const brief = defineEvent({ service: 'room', noun: 'batch', happened: 'seen', data: z.object({ n: z.number() }), ttlSeconds: 1 });

let fixture: MessagingFixture;
const consumers: DurableConsumer<Counted>[] = [];
beforeAll(async () => {
  fixture = await MessagingFixture.start();
  await fixture.stack.rows('CREATE TABLE thing.applied (consumer text, n int)');
  await fixture.stack.rows('GRANT ALL ON thing.applied TO PUBLIC');
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
});
afterAll(() => fixture?.stop());

const subjectOf = (run: string) => `evt.room.batch-${run}.counted.v1.p00`;
const envelope = (n: number, id = randomUUID()): Counted => ({
  specversion: '1.0',
  id,
  source: '/services/room',
  type: counted.type,
  subject: `RM_${n % 7}`,
  time: new Date().toISOString(),
  data: { n },
});
const messagesOf = (run: string, bodies: readonly Counted[]) =>
  bodies.map((body) => ({ stream: 'EVENTS', subject: subjectOf(run), body: JSON.stringify(body), id: randomUUID() }));
const publish = (run: string, bodies: readonly Counted[]) => fixture.publisher.publishAll(messagesOf(run, bodies));

/** A consumer that applies its messages to the table `applied` and fails as `fail` says. */
async function consume(run: string, fail: (ns: number[]) => void = () => undefined) {
  const declaration: ConsumerDeclaration = {
    service: 'billing',
    stream: 'EVENTS',
    durable: `batch-${run}`,
    filterSubjects: [subjectOf(run)],
  };
  const manager = await jetstreamManager(fixture.connection);
  await manager.consumers.add('EVENTS', {
    durable_name: declaration.durable,
    ack_policy: 'explicit',
    filter_subjects: declaration.filterSubjects,
  });
  const batches: number[][] = [];
  const clock = new SystemClock();
  const handle = async (deliveries: readonly Delivery<Counted>[]) => {
    const ns = deliveries.map(({ body }) => body.data.n);
    await fixture.database.transaction(async (tx) => {
      const fresh = await acceptNew(tx, declaration.durable, deliveries, ({ body }) => body.id, clock.wall());
      for (const { body } of fresh) await tx.manager.query('INSERT INTO applied VALUES ($1, $2)', [run, body.data.n]);
      fail(ns);
    });
    batches.push(ns);
  };
  const consumer = new DurableConsumer<Counted>(fixture.jetstream, {
    declaration,
    keyOf: ({ subject }) => subject,
    concurrency: 2,
    batchSize: 64,
    handle,
  });
  consumers.push(consumer);
  consumer.start();
  return { batches, declaration, manager };
}

const applied = async (run: string) =>
  (await fixture.query<{ n: number }>('SELECT n FROM applied WHERE consumer = $1 ORDER BY n', [run])).map(({ n }) => n);
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

it('messages of many keys share a transaction, those of one key stay in order, and each is applied once', async () => {
  const run = randomUUID();
  await publish(
    run,
    range(300).map((n) => envelope(n)),
  );
  const { batches, declaration, manager } = await consume(run);
  await eventually(async () => expect(await applied(run)).toEqual(range(300)));
  expect(batches.length).toBeLessThan(100);
  const order = batches.flat();
  for (let key = 0; key < 7; key += 1) {
    const ofKey = order.filter((n) => n % 7 === key);
    expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
  }
  await eventually(async () => {
    const { num_ack_pending, num_pending } = await manager.consumers.info('EVENTS', declaration.durable);
    expect([num_ack_pending, num_pending]).toEqual([0, 0]);
  });
});

it('messages that arrive one after the other share batches', async () => {
  const run = randomUUID();
  const { batches } = await consume(run);
  for (const n of range(200)) await publish(run, [envelope(n)]);
  await eventually(async () => expect(await applied(run)).toEqual(range(200)));
  expect(batches.length).toBeLessThan(100);
});

it('one bad message in a batch becomes a dead letter, and the others are applied once', async () => {
  const run = randomUUID();
  await publish(
    run,
    range(64).map((n) => envelope(n)),
  );
  const { declaration } = await consume(run, (ns) => {
    if (ns.includes(20)) throw new Error('20 is bad');
  });
  const others = range(64).filter((n) => n !== 20);
  await eventually(async () => expect(await applied(run)).toEqual(others));
  const letters = new DeadLetters(fixture.connection);
  await eventually(async () => {
    const ours = (await letters.list()).filter(({ consumer }) => consumer === declaration.durable);
    expect(ours).toMatchObject([{ reason: '20 is bad' }]);
  });
  expect(await applied(run)).toEqual(others);
});

it('an unreachable dependency pauses all messages and counts no attempt', async () => {
  const run = randomUUID();
  await publish(
    run,
    range(20).map((n) => envelope(n)),
  );
  let failures = 0;
  const { declaration } = await consume(run, () => {
    failures += 1;
    if (failures <= 12) throw new AppError('SERVICE_UNAVAILABLE');
  });
  await eventually(async () => expect(await applied(run)).toEqual(range(20)));
  expect((await new DeadLetters(fixture.connection).list()).filter(({ consumer }) => consumer === declaration.durable)).toEqual([]);
});

it('a message that comes twice, in one batch or later, is applied once', async () => {
  const run = randomUUID();
  const twice = range(10).map((n) => envelope(n));
  await publish(run, [...twice, ...twice]);
  const { declaration, manager } = await consume(run);
  await eventually(async () => expect(await applied(run)).toEqual(range(10)));
  await publish(run, twice);
  await eventually(async () => expect((await manager.consumers.info('EVENTS', declaration.durable)).num_pending).toBe(0));
  await eventually(async () => expect((await manager.consumers.info('EVENTS', declaration.durable)).num_ack_pending).toBe(0));
  expect(await applied(run)).toEqual(range(10));
});

describe('messages that are sent together', () => {
  const stored = async (run: string) => {
    const manager = await jetstreamManager(fixture.connection);
    const { state } = await manager.streams.info('EVENTS', { subjects_filter: subjectOf(run) });
    return state.subjects?.[subjectOf(run)] ?? 0;
  };

  it('are all stored, more than one batch holds, too', async () => {
    const run = randomUUID();
    const results = await publish(
      run,
      range(1_234).map((n) => envelope(n)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_234);
    expect(await stored(run)).toBe(1_234);
  });

  it('are stored in their order, whether they are a batch or too few for one', async () => {
    const run = randomUUID();
    const { batches } = await consume(run);
    const all = range(24);
    await publish(
      run,
      all.slice(0, 5).map((n) => envelope(n * 7)),
    );
    await publish(
      run,
      all.slice(5).map((n) => envelope(n * 7)),
    );
    await eventually(async () => expect(await applied(run)).toEqual(all.map((n) => n * 7)));
    expect(batches.flat()).toEqual(all.map((n) => n * 7));
  });

  it('are stored once if some of them were stored before', async () => {
    const run = randomUUID();
    const messages = messagesOf(
      run,
      range(30).map((n) => envelope(n)),
    );
    await fixture.publisher.publishAll(messages.slice(0, 10));
    const results = await fixture.publisher.publishAll(messages);
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await stored(run)).toBe(30);
  });

  it('are stored except for one that is too large, which fails', async () => {
    const run = randomUUID();
    const messages = messagesOf(
      run,
      range(12).map((n) => envelope(n)),
    );
    const large = { ...messages[2], subject: subjectOf(run), stream: 'EVENTS', id: randomUUID(), body: 'x'.repeat(9 * 1_048_576) };
    const results = await fixture.publisher.publishAll(messages.toSpliced(2, 1, large));
    expect(results.map(({ status }) => status)).toEqual(range(12).map((n) => (n === 2 ? 'rejected' : 'fulfilled')));
    expect(await stored(run)).toBe(11);
  });

  it('by many callers resolve each when it is stored', async () => {
    const run = randomUUID();
    const publisher = new GroupedPublisher(fixture.publisher);
    const messages = messagesOf(
      run,
      range(200).map((n) => envelope(n)),
    );
    await Promise.all(messages.map((message) => publisher.publish(message)));
    expect(await stored(run)).toBe(200);
    const [again] = messages;
    if (again) await publisher.publish(again);
    expect(await stored(run)).toBe(200);
  });

  it('are deleted by the stream after their time to live, alone or in a batch', async () => {
    const run = randomUUID();
    const [first, ...others] = messagesOf(
      run,
      range(13).map((n) => envelope(n)),
    ).map((message, n) => (n === 12 ? message : { ...message, ttlSeconds: 1 }));
    if (first) await fixture.publisher.publishAll([first]);
    const results = await fixture.publisher.publishAll(others);
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    await eventually(async () => expect(await stored(run)).toBe(1));
  });

  it('by the relay have the time to live of their contract', async () => {
    const relay = new OutboxRelay(fixture.database, fixture.publisher, new SystemClock());
    const outbox = new Outbox(new SystemClock(), relay);
    const manager = await jetstreamManager(fixture.connection);
    await fixture.database.transaction((tx) => outbox.add(tx, fact(brief, 'RM_brief', { n: 1 }), fact(counted, 'RM_brief', { n: 2 })));
    relay.start();
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0));
    const left = async (contract: typeof brief) => {
      const subject = eventSubject(contract, 'RM_brief');
      const { state } = await manager.streams.info('EVENTS', { subjects_filter: subject });
      return state.subjects?.[subject] ?? 0;
    };
    expect(await left(counted)).toBeGreaterThan(0);
    await eventually(async () => expect(await left(brief)).toBe(0));
    await relay.stop();
  });

  it('by the relay are published once, also after a crash between sending and marking', async () => {
    const relay = new OutboxRelay(fixture.database, fixture.publisher, new SystemClock());
    const outbox = new Outbox(new SystemClock(), relay);
    const before = await fixture.count('outbox');
    await fixture.database.transaction((tx) => outbox.add(tx, ...range(150).map((n) => fact(counted, `RM_${n}`, { n }))));
    relay.start();
    const unpublished = () => fixture.count('outbox WHERE published_at IS NULL');
    await eventually(async () => expect(await unpublished()).toBe(0));
    const manager = await jetstreamManager(fixture.connection);
    const messages = async () => (await manager.streams.info('EVENTS')).state.messages;
    const published = await messages();
    // As if the process had died before it marked some of them.
    await fixture.query(`UPDATE outbox SET published_at = NULL WHERE position % 3 = 0`);
    relay.wake();
    await eventually(async () => expect(await unpublished()).toBe(0));
    expect(await messages()).toBe(published);
    expect(await fixture.count('outbox')).toBe(before + 150);
    await relay.stop();
  });
});
