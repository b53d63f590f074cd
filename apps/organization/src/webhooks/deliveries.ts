import { Injectable } from '@nestjs/common';
import {
  AppError,
  getWebhookDelivery,
  invalidField,
  listWebhookDeliveries,
  replayWebhookDelivery,
  replayWebhooks,
  testWebhookEndpoint,
  type PingEvent,
  type PublicEvent,
  type RpcInput,
  type WebhookDeliverySummary,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { HistoryRepository } from '../events/history.repository.js';
import { randomId } from '../schema/random-id.js';
import type { WebhookDeliveryEntity } from '../schema/webhook-delivery.entity.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';
import { DeliveriesRepository, DeliveryListRepository, MissedEventsRepository } from './deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';

const toDelivery = (row: WebhookDeliveryEntity): WebhookDeliverySummary => ({
  deliveryId: row.deliveryId,
  eventId: row.eventId,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.dueAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  lastAttempt: row.attemptedAt && {
    at: row.attemptedAt.toISOString(),
    statusCode: row.statusCode,
    error: row.error,
    durationMs: row.durationMs ?? 0,
    responseBody: row.responseBody,
  },
});

@Injectable()
export class DeliveryLog {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveryListRepository,
  ) {}

  /** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, VALIDATION_FAILED (invalid cursor) */
  @Handles(listWebhookDeliveries)
  async listWebhookDeliveries({ organizationId, endpointId, status, cursor, limit }: RpcInput<typeof listWebhookDeliveries>) {
    await this.endpoints.get(organizationId, endpointId);
    const rows = await this.deliveries.page(endpointId, status, cursor === undefined ? undefined : decode(cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { deliveries: page.map(toDelivery), nextCursor: last ? encode(last.position) : null };
  }

  /** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND */
  @Handles(getWebhookDelivery)
  async getWebhookDelivery({ organizationId, endpointId, deliveryId }: RpcInput<typeof getWebhookDelivery>) {
    await this.endpoints.get(organizationId, endpointId);
    const row = await this.deliveries.find(endpointId, deliveryId);
    if (!row) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
    return { ...toDelivery(row), payload: row.payload };
  }
}

const encode = (position: number) => Buffer.from(String(position)).toString('base64url');

function decode(cursor: string): number {
  const position = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,18}$/.test(position)) throw invalidField('cursor', 'must be one that a page before gave');
  return Number(position);
}

/** Deliveries that one call queues at most, which takes a transaction of about a second. */
const MAX_QUEUED = 10_000;

/** Queues what an organization requests: a ping, earlier deliveries again, and events that an endpoint missed. */
@Injectable()
export class ReplayWebhooks {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly missedEvents: MissedEventsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED */
  @Handles(testWebhookEndpoint)
  async testWebhookEndpoint({ organizationId, endpointId }: RpcInput<typeof testWebhookEndpoint>) {
    return this.withEnabledEndpoint(organizationId, endpointId, async (tx) => {
      const event: PingEvent = {
        id: randomId('evt'),
        type: 'ping',
        timestamp: this.clock.wall().toISOString(),
        sequence: null,
        data: { endpointId },
      };
      await this.deliveries.add(tx, [{ endpointId, event }], this.clock.now());
      return this.summaryOf(await this.deliveries.findByEvent(tx, endpointId, event.id));
    });
  }

  /** Makes the delivery due now and counts its attempts from zero. @throws AppError as `testWebhookEndpoint`, and WEBHOOK_DELIVERY_NOT_FOUND */
  @Handles(replayWebhookDelivery)
  async replayWebhookDelivery({ organizationId, endpointId, deliveryId }: RpcInput<typeof replayWebhookDelivery>) {
    return this.withEnabledEndpoint(organizationId, endpointId, async (tx) => {
      return this.summaryOf(await this.deliveries.restart(tx, endpointId, deliveryId, this.clock.now()));
    });
  }

  /** @throws AppError as `testWebhookEndpoint` */
  @Handles(replayWebhooks)
  async replayWebhooks(input: RpcInput<typeof replayWebhooks>) {
    const { organizationId, endpointId, types, status } = input;
    const range = {
      since: new Date(input.since),
      until: input.until ? new Date(input.until) : null,
      types: types.length > 0 ? types : null,
    };
    return this.withEnabledEndpoint(organizationId, endpointId, async (tx, endpoint) => {
      const now = this.clock.now();
      const queued =
        status === 'failed'
          ? await this.deliveries.restartFailed(tx, endpointId, range, MAX_QUEUED, now)
          : await this.addMissed(tx, endpoint, await this.missedEvents.find(tx, endpoint, range, MAX_QUEUED), now);
      return { queued, hasMore: queued === MAX_QUEUED };
    });
  }

  private addMissed(tx: Transaction, { endpointId }: WebhookEndpointEntity, events: PublicEvent[], now: Date): Promise<number> {
    return this.deliveries.add(
      tx,
      events.map((event) => ({ endpointId, event })),
      now,
    );
  }

  private withEnabledEndpoint<T>(
    organizationId: string,
    endpointId: string,
    work: (tx: Transaction, endpoint: WebhookEndpointEntity) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const endpoint = await this.endpoints.getForUpdate(tx, organizationId, endpointId);
      if (!endpoint.isEnabled) throw new AppError('WEBHOOK_ENDPOINT_DISABLED');
      return work(tx, endpoint);
    });
  }

  private summaryOf(row: WebhookDeliveryEntity | null | undefined): WebhookDeliverySummary {
    if (!row) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
    return toDelivery(row);
  }
}

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
