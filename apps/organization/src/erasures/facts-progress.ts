import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
import { CONSUMERS, STREAMS } from '@classroom/contracts';
import { isReadThrough, JETSTREAM } from '@classroom/messaging';

/** How far this service has read the facts of the others. */
@Injectable()
export class FactsProgress {
  constructor(@Inject(JETSTREAM) private readonly jetstream: JetStreamClient) {}

  /** @returns the number of the last fact in the stream */
  async last(): Promise<number> {
    const manager = await this.jetstream.jetstreamManager(false);
    return (await manager.streams.info(STREAMS.EVENTS.name)).state.last_seq;
  }

  /** Whether every fact up to this number is in this service's rows, or does not concern it. */
  isReadThrough(sequence: number): Promise<boolean> {
    return isReadThrough(this.jetstream, CONSUMERS.organizationFacts, sequence);
  }
}
