// The minimum for storing and applying an event: a JetStream publish, a durable consumer, one insert, an ack.
import { connect } from '@nats-io/transport-node';
import { natsOptions } from '../../../tools/stack/index.ts';
import { AckPolicy, jetstream, jetstreamManager, type JetStreamClient, type JsMsg } from '@nats-io/jetstream';
import { Pool } from 'pg';

const { NATS_URL, DATABASE_URL } = process.env;
const STREAM = 'BENCH';
const PUBLISHERS = 16;
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

async function run(stream: JetStreamClient, bodies: string[]): Promise<{ seconds: number; published: number }> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let next = 0;
  let published = 0;
  const publishers = Array.from({ length: PUBLISHERS }, async () => {
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
    if ((taken += 1) === bodies.length) break;
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

void prepare().then((stream) => {
  process.on('message', (bodies) => void run(stream, bodies as string[]).then((outcome) => process.send?.(outcome)));
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
});
