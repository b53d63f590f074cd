import { Injectable } from '@nestjs/common';
import type { PublicEvent } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DueSignal } from './due-signal.js';

/** Milliseconds. An event up to this much older than an endpoint is still sent to it, because the clocks of machines differ. */
const CLOCK_SKEW_MS = 5_000;

/** Adds a delivery of each event to each enabled endpoint of the organization that wants the event's type. */
@Injectable()
export class FanOut {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly dueSignal: DueSignal,
    private readonly clock: Clock,
  ) {}

  async toEndpoints(tx: Transaction, organizationId: string, events: readonly PublicEvent[]): Promise<void> {
    const endpoints = await this.endpoints.lockEnabled(tx, organizationId);
    const wanted = endpoints.flatMap(({ endpointId, eventTypes, createdAt }) =>
      events
        .filter(({ type }) => eventTypes.length === 0 || eventTypes.includes(type))
        .filter(({ timestamp }) => Date.parse(timestamp) >= createdAt.getTime() - CLOCK_SKEW_MS)
        .map((event) => ({ endpointId, event })),
    );
    if (wanted.length === 0) return;
    await this.deliveries.add(tx, wanted, this.clock.now());
    tx.afterCommit('webhooks', () => this.dueSignal.wake());
  }
}
