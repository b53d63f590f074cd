import type { JetStreamClient } from '@nats-io/jetstream';
import type { ConsumerDeclaration } from '@classroom/contracts';

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
