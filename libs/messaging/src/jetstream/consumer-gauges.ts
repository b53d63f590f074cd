import type { ConsumerInfo, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { STREAMS, type ConsumerDeclaration, smallestOf } from '@classroom/contracts';
import { isTrueWithin, observedGauges } from '@classroom/platform';

/** Gauges of a durable consumer, read from JetStream at each scrape. All processes of a service report the same values. */
export function observeConsumer(jetstream: JetStreamClient, declaration: ConsumerDeclaration): void {
  const gauges = {
    classroom_consumer_waiting: 'Messages that a consumer has not finished',
    classroom_consumer_lag_seconds: 'Age of the oldest of them',
    classroom_dead_letters: 'Dead letters that no operator has replayed or dropped',
    classroom_stream_fill_ratio: 'Part of its disk space that the stream of a consumer uses; 0 where that is not limited',
  };
  observedGauges(gauges, async () => {
    const { waiting, lagSeconds, dead, fill } = await readConsumer(await jetstream.jetstreamManager(false), declaration);
    const attributes = { consumer: declaration.durable };
    return [
      { name: 'classroom_consumer_waiting', value: waiting, attributes },
      { name: 'classroom_consumer_lag_seconds', value: lagSeconds, attributes },
      { name: 'classroom_dead_letters', value: dead, attributes },
      { name: 'classroom_stream_fill_ratio', value: fill, attributes: { ...attributes, stream: declaration.stream } },
    ];
  });
}

export async function readConsumer(manager: JetStreamManager, { stream, durable, filterSubjects }: ConsumerDeclaration) {
  const [info, dead, { config, state }] = await Promise.all([
    manager.consumers.info(stream, durable),
    deadLetters(manager, `dlq.${stream}.${durable}`),
    manager.streams.info(stream),
  ]);
  const waiting = info.num_pending + info.num_ack_pending;
  const oldest = waiting === 0 ? undefined : await oldestAfter(manager, info, filterSubjects);
  const fill = config.max_bytes > 0 ? state.bytes / config.max_bytes : 0;
  return { waiting, dead, fill, lagSeconds: oldest === undefined ? 0 : Math.max((Date.now() - oldest) / 1000, 0) };
}

async function deadLetters(manager: JetStreamManager, subject: string): Promise<number> {
  const { state } = await manager.streams.info(STREAMS.DLQ.name, { subjects_filter: subject });
  return state.subjects?.[subject] ?? 0;
}

/**
 * When the oldest message after the acknowledgement floor was stored, in milliseconds since 1970. All messages up to the floor
 * are acknowledged.
 */
async function oldestAfter(
  manager: JetStreamManager,
  { stream_name, ack_floor }: ConsumerInfo,
  subjects: string[],
): Promise<number | undefined> {
  const found = await Promise.all(
    subjects.map((subject) => {
      const query = { seq: ack_floor.stream_seq + 1, next_by_subj: subject };
      return manager.streams.getMessage(stream_name, query);
    }),
  );
  const times = found.flatMap((message) => (message ? [message.time.getTime()] : []));
  return times.length === 0 ? undefined : smallestOf(times);
}

/**
 * Whether a durable consumer has acknowledged every message of its stream up to this number that concerns it.
 * @throws nats.js's errors if JetStream is unreachable or the consumer does not exist
 */
export async function isReadThrough(
  jetstream: JetStreamClient,
  { stream, durable }: Pick<ConsumerDeclaration, 'stream' | 'durable'>,
  sequence: number,
): Promise<boolean> {
  const manager = await jetstream.jetstreamManager(false);
  const { ack_floor, num_pending, num_ack_pending } = await manager.consumers.info(stream, durable);
  return ack_floor.stream_seq >= sequence || num_pending + num_ack_pending === 0;
}

/** Waits until a durable consumer has acknowledged what is in its stream now. @returns false if it had not within two seconds */
export async function waitUntilRead(
  jetstream: JetStreamClient,
  consumer: Pick<ConsumerDeclaration, 'stream' | 'durable'>,
): Promise<boolean> {
  const manager = await jetstream.jetstreamManager(false);
  const { last_seq } = (await manager.streams.info(consumer.stream)).state;
  return isTrueWithin(2_000, () => isReadThrough(jetstream, consumer, last_seq));
}
