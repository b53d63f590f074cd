import { Injectable } from '@nestjs/common';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { HistoryRepository } from '../events/history.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';

const INTERVAL_MS = 60_000;
const BATCH = 2_000;
const RETENTION_MS = 30 * 24 * 3_600_000;

/**
 * Deletes deliveries and events after their retention, and everything of deleted endpoints. It works in small batches, because
 * it is not urgent.
 */
@Injectable()
export class WebhookSweep {
  @InBackground() private readonly loop = new Loop('webhook-sweep', INTERVAL_MS, () => this.run());

  constructor(
    private readonly history: HistoryRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    while ((await this.deliveries.deleteOlder(before, BATCH)) === BATCH);
    while ((await this.history.deleteOlder(before, BATCH)) === BATCH);
    while ((await this.deliveries.deleteOfDeletedEndpoints(BATCH)) > 0);
    await this.endpoints.eraseDeleted();
  }
}
