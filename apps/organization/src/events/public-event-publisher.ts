import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { FanOut } from '../outgoing/fan-out.js';
import { HistoryRepository, type NewEvent } from '../history/history.repository.js';

/**
 * Appends events to the histories of their organizations and adds their deliveries to the endpoints, in the transaction that makes the
 * events true.
 */
@Injectable()
export class PublicEventPublisher {
  constructor(
    private readonly history: HistoryRepository,
    private readonly fanOut: FanOut,
    private readonly clock: Clock,
  ) {}

  async publish(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.fanOut.toEndpoints(tx, await this.history.append(tx, events, this.clock.now()));
  }
}
