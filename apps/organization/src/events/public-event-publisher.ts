import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventsAppendedSubject } from '@classroom/contracts';
import { NATS } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { FanOut } from '../outgoing/fan-out.js';
import { HistoryRepository, type NewEvent } from '../history/history.repository.js';

/**
 * Appends events to the histories of their organizations and adds their deliveries to the endpoints, in the transaction that makes the
 * events true. After the commit, the gateways that stream these histories get a hint.
 */
@Injectable()
export class PublicEventPublisher {
  constructor(
    private readonly history: HistoryRepository,
    private readonly fanOut: FanOut,
    private readonly clock: Clock,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  async publish(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.fanOut.toEndpoints(tx, await this.history.append(tx, events, this.clock.now()));
    for (const { organizationId } of events) tx.afterCommit(`appended ${organizationId}`, () => this.hint(organizationId));
  }

  private hint(organizationId: string): void {
    // A stream that gets no hint looks again by itself.
    if (!this.connection.isClosed()) this.connection.publish(eventsAppendedSubject(organizationId));
  }
}
