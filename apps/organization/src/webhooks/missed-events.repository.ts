import { Injectable } from '@nestjs/common';
import type { PublicEvent } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import type { ReplayRange } from '../outgoing/deliveries.repository.js';
import { sql } from '../schema/sql.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';

const find = sql(
  'missed-events.find',
  `SELECT event_id AS id, type, occurred_at AS "occurredAt", sequence, data FROM events v
    WHERE organization_id = $1 AND occurred_at >= $3 AND ($4::timestamptz IS NULL OR occurred_at < $4)
      AND ($5::text[] IS NULL OR type = ANY ($5)) AND (cardinality($6::text[]) = 0 OR type = ANY ($6))
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = $2 AND d.event_id = v.event_id)
    ORDER BY occurred_at, sequence LIMIT $7`,
);

@Injectable()
export class MissedEventsRepository {
  /** Events without a delivery to the endpoint, of the types that it wants now; the oldest first. */
  async find(
    tx: Transaction,
    endpoint: WebhookEndpointEntity,
    { since, until, types }: ReplayRange,
    limit: number,
  ): Promise<PublicEvent[]> {
    const rows = await tx.run(find, endpoint.organizationId, endpoint.endpointId, since, until, types, endpoint.eventTypes, limit);
    return rows.map(({ occurredAt, ...event }) => ({ ...event, timestamp: occurredAt.toISOString() }));
  }
}
