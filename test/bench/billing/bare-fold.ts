// The minimum for storing and applying an event: a JetStream publish, a durable consumer, one insert, an ack. With `port`, the events come as
// LiveKit's signed webhooks over HTTP, as they do in reality.
import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { connect } from '@nats-io/transport-node';
import { natsOptions } from '../../../tools/stack/index.ts';
import { AckPolicy, jetstream, jetstreamManager, type JetStreamClient, type JsMsg } from '@nats-io/jetstream';
import { WebhookReceiver } from 'livekit-server-sdk';
import { Pool } from 'pg';

const { NATS_URL, DATABASE_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = process.env;
const STREAM = 'BENCH';
const WRITERS = 8;
const PREFETCH = 256;

const pool = new Pool({ connectionString: DATABASE_URL, max: WRITERS });

async function prepare() {
  const nats = await connect({ ...natsOptions(NATS_URL ?? ''), noAsyncTraces: true });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: STREAM, subjects: ['bench.>'] });
  await manager.consumers.add(STREAM, { durable_name: STREAM, ack_policy: AckPolicy.Explicit, max_ack_pending: 2000 });
  await pool.query('CREATE SCHEMA IF NOT EXISTS bench');
  await pool.query('CREATE TABLE bench.events (sequence bigint PRIMARY KEY, subject text NOT NULL, body text NOT NULL)');
  return jetstream(nats);
}

/** Receives webhooks, as a program would that is made of kept libraries alone. @returns the port */
async function listen(stream: JetStreamClient): Promise<number> {
  const receiver = new WebhookReceiver(LIVEKIT_API_KEY ?? '', LIVEKIT_API_SECRET ?? '');
  const app = fastify();
  app.addContentTypeParser('application/webhook+json', { parseAs: 'string' }, (_, body, done) => done(null, body));
  app.post('/livekit/webhook', async ({ body, headers }) => {
    const event = await receiver.receive(body as string, headers.authorization);
    await stream.publish(`bench.events.${event.room?.name}`, body as string, { msgID: event.id });
    return { success: true };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

interface Order {
  /** How many events are in flight at the same time. */
  publishers: number;
  /** How many events come, and the events, if they do not come over HTTP. */
  count: number;
  bodies?: string[];
}

async function run(
  stream: JetStreamClient,
  { publishers: width, count, bodies = [] }: Order,
): Promise<{ seconds: number; published: number }> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let next = 0;
  let published = 0;
  const publishers = Array.from({ length: width }, async () => {
    while (next < bodies.length) {
      const number = next++;
      await stream.publish(`bench.events.p${number % 16}`, bodies[number], { msgID: `${started}-${number}` });
    }
    published = seconds();
  });
  const consumer = await stream.consumers.get(STREAM, STREAM);
  const messages = await consumer.consume({ max_messages: PREFETCH });
  const inProgress = new Set();
  let taken = 0;
  for await (const message of messages) {
    const work = store(message).finally(() => inProgress.delete(work));
    inProgress.add(work);
    if ((taken += 1) === count) break;
    if (inProgress.size === WRITERS) await Promise.race(inProgress);
  }
  await Promise.all([...publishers, ...inProgress]);
  const all = seconds();
  await messages.close();
  return { seconds: all, published };
}

async function store(message: JsMsg) {
  await pool.query({
    name: 'store',
    text: 'INSERT INTO bench.events VALUES ($1, $2, $3)',
    values: [message.seq, message.subject, message.string()],
  });
  message.ack();
}

void prepare().then(async (stream) => {
  const port = await listen(stream);
  process.on('message', (order) => void run(stream, order as Order).then((outcome) => process.send?.(outcome)));
  process.once('disconnect', () => process.exit());
  process.send?.({ port });
});
