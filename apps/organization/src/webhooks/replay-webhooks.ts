import { Injectable } from '@nestjs/common';
import {
  AppError,
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
import { Clock } from '@classroom/platform';
import { randomId } from '../schema/random-id.js';
import { DeliveriesRepository, MissedEventsRepository } from './deliveries.repository.js';
import { toDelivery } from './delivery-log.js';
import { EndpointsRepository } from './endpoints.repository.js';
import type { WebhookDeliveryEntity } from '../schema/webhook-delivery.entity.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';

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
