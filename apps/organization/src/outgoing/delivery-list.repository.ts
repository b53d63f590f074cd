import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import { WebhookDeliveryEntity } from '../schema/webhook-delivery.entity.js';

const page = sql.planned(
  'delivery-list.page',
  `SELECT ${columnsOf(WebhookDeliveryEntity)} FROM webhook_deliveries
    WHERE endpoint_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::bigint IS NULL OR position < $3)
    ORDER BY position DESC LIMIT $4`,
);

const summarizePending = sql.planned(
  'delivery-list.summarizePending',
  `SELECT count(*) AS "count!", min(due_at) FILTER (WHERE e.held_until IS NULL OR d.due_at > e.held_until) AS "oldestDue"
     FROM webhook_deliveries d JOIN webhook_endpoints e USING (endpoint_id)
    WHERE d.status = 'pending' AND e.is_enabled AND e.deleted_at IS NULL`,
);

@Injectable()
export class DeliveryListRepository {
  constructor(private readonly database: Database) {}

  find(endpointId: string, deliveryId: string): Promise<WebhookDeliveryEntity | null> {
    return this.database.manager.findOneBy(WebhookDeliveryEntity, { endpointId, deliveryId });
  }

  /** Newest first; `before` is a row's position. */
  page(endpointId: string, status: string | undefined, before: number | undefined, limit: number): Promise<WebhookDeliveryEntity[]> {
    return this.database.run(page, endpointId, status ?? null, before ?? null, limit);
  }

  /** Pending deliveries of enabled endpoints: how many, and the earliest due time of those that no Retry-After holds back. */
  async summarizePending(): Promise<RowOf<typeof summarizePending>> {
    const row = await this.database.first(summarizePending);
    return row ?? { count: 0, oldestDue: null };
  }
}
