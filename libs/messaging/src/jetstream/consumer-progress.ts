import type { JetStreamClient } from '@nats-io/jetstream';
import type { ConsumerDeclaration } from '@classroom/contracts';
import { isTrueWithin } from '@classroom/platform';

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
