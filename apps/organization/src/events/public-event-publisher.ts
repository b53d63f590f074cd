import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { FanOut } from '../outgoing/fan-out.js';
import { HistoryRepository } from '../history/history.repository.js';
import type { NewEvent } from '../history/to-public-events.js';

/**
 * Appends events to the organization's history and adds their deliveries to its endpoints, in the transaction that makes the
 * events true.
 */
@Injectable()
export class PublicEventPublisher {
  constructor(
    private readonly history: HistoryRepository,
    private readonly fanOut: FanOut,
    private readonly clock: Clock,
  ) {}

  async publish(tx: Transaction, organizationId: string, events: readonly NewEvent[], occurred: Date): Promise<void> {
    if (events.length === 0) return;
    const published = await this.history.append(tx, organizationId, events, { occurred, now: this.clock.now() });
    await this.fanOut.toEndpoints(tx, organizationId, published);
  }
}
