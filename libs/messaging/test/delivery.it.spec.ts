import { randomUUID } from 'node:crypto';
import { jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { AppError, defineEvent, type ConsumerDeclaration, type EventEnvelope } from '@classroom/contracts';
import type { Database } from '@classroom/persistence';
import { SystemClock } from '@classroom/platform';
import { eventually, inLongForm } from '@classroom/testing';
import { acceptOnce, DeadLetters, DurableConsumer, fact, oneByOne, Outbox, OutboxRelay } from '../src/index.js';
import { MessagingFixture } from './support/messaging-fixture.js';

type ThingHappened = EventEnvelope<{ n: number }>;
const happened = defineEvent({ service: 'room', noun: 'thing', happened: 'happened', data: z.object({ n: z.number() }) });

/** A committed fact reaches its consumers and takes effect once, even if processes die or messages repeat. */
describe('delivery', () => {
  let fixture: MessagingFixture;
  let connection: NatsConnection;
  let js: JetStreamClient;
  let database: Database;

  beforeAll(async () => {
    fixture = await MessagingFixture.start();
    ({ connection, jetstream: js, database } = fixture);
  });

  afterAll(() => fixture?.stop());

  const newRelay = () => new OutboxRelay(database, fixture.publisher, new SystemClock());
  const addFact = async (outbox: Outbox, n: number) => database.transaction((tx) => outbox.add(tx, fact(happened, 'RM_1', { n })));

  const newDeclaration = (): ConsumerDeclaration => ({
    service: 'billing',
    stream: 'EVENTS',
    durable: `t-${randomUUID()}`,
    filterSubjects: ['evt.room.thing.>'],
  });

  async function consume(
    handle: (message: ThingHappened) => Promise<void>,
    keyOf: (message: ThingHappened) => string = () => 'one',
    declaration = newDeclaration(),
  ): Promise<DurableConsumer<ThingHappened>> {
    const manager = await jetstreamManager(connection);
    await manager.consumers.add('EVENTS', {
      durable_name: declaration.durable,
      ack_policy: 'explicit',
      deliver_policy: 'all',
      filter_subjects: declaration.filterSubjects,
    });
    const consumer = new DurableConsumer<ThingHappened>(js, { declaration, keyOf, concurrency: 4, ...oneByOne(handle) });
    consumer.start();
    return consumer;
  }

  const nOf = ({ data }: ThingHappened) => data.n;

  it('publishes committed facts in order and once, and no fact that was rolled back', async () => {
    const relay = newRelay();
    relay.start();
    const outbox = new Outbox(new SystemClock(), relay);
    const seen: number[] = [];
    const consumer = await consume(async (message) => void seen.push(nOf(message)));
    await addFact(outbox, 1);
    await expect(
      database.transaction(async (tx) => {
        await outbox.add(tx, fact(happened, 'RM_1', { n: 666 }));
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    for (let n = 2; n <= 50; n++) await addFact(outbox, n);
    await eventually(() => expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i + 1)));
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0));
    await consumer.stop();
    await relay.stop();
  });

  it('lets one of two relays work at a time, and loses no fact', async () => {
    const relays = [newRelay(), newRelay()];
    const outbox = new Outbox(new SystemClock(), relays[0] as OutboxRelay);
    for (let n = 1000; n < 1100; n++) await addFact(outbox, n);
    relays.forEach((relay) => relay.start());
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0));
    const seen: number[] = [];
    const consumer = await consume(async (message) => void seen.push(nOf(message)));
    await eventually(() => expect(seen.filter((n) => n >= 1000 && n < 1100)).toHaveLength(100));
    await consumer.stop();
    await Promise.all(relays.map((relay) => relay.stop()));
  });

  it('applies a message once, however often it is delivered', async () => {
    const id = randomUUID();
    const apply = () => database.transaction((tx) => acceptOnce(tx, 'c', id, new Date()));
    expect((await Promise.all([apply(), apply(), apply()])).filter(Boolean)).toHaveLength(1);
  });

  it('waits for an unreachable dependency without counting attempts', async () => {
    const relay = newRelay();
    relay.start();
    await addFact(new Outbox(new SystemClock(), relay), 2000);
    let refusals = 0;
    const seen: number[] = [];
    const consumer = await consume(async (message) => {
      if (nOf(message) !== 2000) return;
      if (refusals++ < 2) throw new AppError('SERVICE_UNAVAILABLE');
      seen.push(nOf(message));
    });
    await eventually(() => expect(seen).toEqual([2000]));
    await consumer.stop();
    await relay.stop();
  });

  it('moves a message to the DLQ after eight failures, and continues with the others', async () => {
    const relay = newRelay();
    relay.start();
    const outbox = new Outbox(new SystemClock(), relay);
    await addFact(outbox, 3000);
    await addFact(outbox, 3001);
    let tries = 0;
    const seen: number[] = [];
    const consumer = await consume(async (message) => {
      if (nOf(message) === 3000) {
        tries += 1;
        throw new Error('poison');
      }
      if (nOf(message) > 3000) seen.push(nOf(message));
    });
    const manager = await jetstreamManager(connection);
    await eventually(async () => expect((await manager.streams.info('DLQ')).state.messages).toBe(1));
    expect(tries).toBe(8);
    expect(seen).toEqual([3001]);
    await consumer.stop();

    // An operator reads the message, and replays it after the cause is fixed.
    const letters = new DeadLetters(connection);
    const [letter] = await letters.list();
    expect(letter).toMatchObject({
      consumer: expect.stringMatching(/^t-/),
      originalSubject: expect.stringMatching(/^evt\.room\.thing\./),
      reason: 'poison',
      attempts: 8,
    });
    const replayed: number[] = [];
    const again = await consume(async (message) => void replayed.push(nOf(message)));
    await eventually(() => expect(replayed.filter((n) => n === 3000)).toHaveLength(1));
    expect(await letters.replay(letter?.sequence ?? 0)).toBe(true);
    await eventually(() => expect(replayed.filter((n) => n === 3000)).toHaveLength(2));
    expect(await letters.list()).toEqual([]);
    expect(await letters.replay(letter?.sequence ?? 0)).toBe(false);
    await again.stop();
    await relay.stop();
  });

  it('does not let hundreds of messages of one key delay another key', async () => {
    const relay = newRelay();
    relay.start();
    const outbox = new Outbox(new SystemClock(), relay);
    await database.transaction((tx) =>
      outbox.add(tx, ...Array.from({ length: 400 }, (_, i) => fact(happened, 'RM_busy', { n: 4000 + i }))),
    );
    await addFact(outbox, 4999);
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0));
    let before = 0;
    let handledBefore: number | undefined;
    const consumer = await consume(
      async (message) => {
        if (nOf(message) === 4999) handledBefore = before;
        if (nOf(message) < 4000) return;
        before += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
      ({ subject }) => subject,
    );
    await eventually(() => expect(handledBefore).toBeDefined());
    // At 5 ms each, it waited for a few messages, not for all of them (two seconds).
    expect(handledBefore).toBeLessThan(40);
    await eventually(() => expect(before).toBe(401));
    await consumer.stop();
    await relay.stop();
  });

  it('hands back unstarted messages when it stops, which another process takes immediately', async () => {
    const relay = newRelay();
    relay.start();
    const outbox = new Outbox(new SystemClock(), relay);
    await database.transaction((tx) => outbox.add(tx, ...Array.from({ length: 100 }, (_, i) => fact(happened, 'RM_1', { n: 5000 + i }))));
    await eventually(async () => expect(await fixture.count('outbox WHERE published_at IS NULL')).toBe(0));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first: number[] = [];
    const declaration = newDeclaration();
    const handle = async (message: ThingHappened) => {
      if (nOf(message) < 5000) return;
      first.push(nOf(message));
      await held;
    };
    const consumer = await consume(handle, undefined, declaration);
    await eventually(() => expect(first).toEqual([5000]));
    const manager = await jetstreamManager(connection);
    await eventually(async () => expect((await manager.consumers.info('EVENTS', declaration.durable)).num_ack_pending).toBe(100));
    const stopping = consumer.stop();
    // Long before JetStream would redeliver them by itself, after 15 or 30 s.
    const second: number[] = [];
    const other = new DurableConsumer<ThingHappened>(js, {
      declaration,
      keyOf: () => 'one',
      concurrency: 4,
      ...oneByOne(async (message) => void second.push(nOf(message))),
    });
    other.start();
    await eventually(() => expect(new Set(second).size).toBe(99));
    release();
    await stopping;
    expect(first).toEqual([5000]);
    await other.stop();
    await relay.stop();
  });

  inLongForm(it)('moves a message to the DLQ if its statement always times out, without delaying other messages', async () => {
    const relay = newRelay();
    relay.start();
    const outbox = new Outbox(new SystemClock(), relay);
    await addFact(outbox, 6000);
    await addFact(outbox, 6001);
    const manager = await jetstreamManager(connection);
    const { messages } = (await manager.streams.info('DLQ')).state;
    const seen: number[] = [];
    const consumer = await consume(async (message) => {
      if (nOf(message) === 6000) {
        await database.transaction(async (tx) => {
          await tx.manager.query(`SET LOCAL statement_timeout = '1ms'`);
          await tx.manager.query('SELECT pg_sleep(1)');
        });
      }
      if (nOf(message) > 6000) seen.push(nOf(message));
    });
    await eventually(async () => expect((await manager.streams.info('DLQ')).state.messages).toBe(messages + 1));
    expect(seen).toEqual([6001]);
    await consumer.stop();
    await relay.stop();
  });

  it('does not let a service’s role read another schema', async () => {
    await fixture.stack.rows('CREATE SCHEMA secret; CREATE TABLE secret.things (n int)');
    await expect(fixture.query('SELECT * FROM secret.things')).rejects.toThrow(/permission denied/);
  });
});
