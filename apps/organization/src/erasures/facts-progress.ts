import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS } from '@classroom/contracts';
import { JETSTREAM } from '@classroom/messaging';

const { stream, durable } = CONSUMERS.organizationFacts;

/** How far this service has read the facts of the others. */
@Injectable()
export class FactsProgress {
  constructor(@Inject(JETSTREAM) private readonly jetstream: JetStreamClient) {}

  /** @returns the number of the last fact in the stream */
  async last(): Promise<number> {
    const manager = await this.jetstream.jetstreamManager(false);
    return (await manager.streams.info(stream)).state.last_seq;
  }

  /** Whether every fact up to this number is in this service's rows, or does not concern it. */
  async isReadThrough(sequence: number): Promise<boolean> {
    const manager = await this.jetstream.jetstreamManager(false);
    const { ack_floor, num_pending, num_ack_pending } = await manager.consumers.info(stream, durable);
    return ack_floor.stream_seq >= sequence || num_pending + num_ack_pending === 0;
  }
}
