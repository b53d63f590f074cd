import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import type { PublishedEvent } from '../history/history.repository.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DueSignal } from './due-signal.js';

/** Milliseconds. An event up to this much older than an endpoint is still sent to it, because the clocks of machines differ. */
const CLOCK_SKEW_MS = 5_000;

/** Adds a delivery of each event to each enabled endpoint of its organization that wants the event's type. */
@Injectable()
export class FanOut {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly dueSignal: DueSignal,
    private readonly clock: Clock,
  ) {}

  async toEndpoints(tx: Transaction, published: readonly PublishedEvent[]): Promise<void> {
    const endpoints = await this.endpoints.lockEnabled(tx, [...new Set(published.map(({ organizationId }) => organizationId))]);
    const ofOrganization = Map.groupBy(endpoints, ({ organizationId }) => organizationId);
    const wanted = published.flatMap(({ organizationId, traceparent, event }) =>
      (ofOrganization.get(organizationId) ?? [])
        .filter(({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(event.type))
        .filter(({ createdAt }) => Date.parse(event.timestamp) >= createdAt.getTime() - CLOCK_SKEW_MS)
        .map(({ endpointId }) => ({ endpointId, event, traceparent })),
    );
    if (wanted.length === 0) return;
    await this.deliveries.add(tx, wanted, this.clock.now());
    tx.afterCommit('webhooks', () => this.dueSignal.wake());
  }
}
