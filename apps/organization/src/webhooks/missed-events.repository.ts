import { Injectable } from '@nestjs/common';
import type { PublicEvent } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import type { ReplayRange } from '../outgoing/deliveries.repository.js';
import { sql } from '../schema/sql.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';

const find = sql(
  'missed-events.find',
  `SELECT event_id AS id, type, occurred_at AS "occurredAt", sequence, data FROM events v
    WHERE organization_id = :organizationId AND occurred_at >= :since AND (:until::timestamptz IS NULL OR occurred_at < :until)
      AND (:types::text[] IS NULL OR type = ANY (:types)) AND (cardinality(:eventTypes::text[]) = 0 OR type = ANY (:eventTypes))
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = :endpointId AND d.event_id = v.event_id)
    ORDER BY occurred_at, sequence LIMIT :limit`,
);

@Injectable()
export class MissedEventsRepository {
  /** Events without a delivery to the endpoint, of the types that it wants now; the oldest first. */
  async find(
    tx: Transaction,
    { organizationId, endpointId, eventTypes }: WebhookEndpointEntity,
    range: ReplayRange,
    limit: number,
  ): Promise<PublicEvent[]> {
    const rows = await tx.run(find, { ...range, organizationId, endpointId, eventTypes, limit });
    return rows.map(({ occurredAt, ...event }) => ({ ...event, timestamp: occurredAt.toISOString() }));
  }
}
