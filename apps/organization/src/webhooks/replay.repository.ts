import { Injectable } from '@nestjs/common';
import type { PublicEvent, PublicEventType } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { DELIVERY_COLUMNS, type DeliveryRow } from '../outgoing/delivery.row.js';
import type { EndpointRow } from '../endpoints/endpoint.row.js';

export interface Range {
  since: Date;
  until: Date | null;
  /** Null: all. */
  types: string[] | null;
}

interface EventRow extends Record<string, unknown> {
  id: string;
  type: PublicEventType;
  occurredAt: Date;
  sequence: string;
  data: Record<string, unknown>;
}

const AGAIN = `status = 'pending', attempts = 0, due_at = `;

@Injectable()
export class ReplayRepository {
  async restart(tx: Transaction, endpointId: string, deliveryId: string, now: Date): Promise<DeliveryRow | undefined> {
    const [row] = await tx.query<DeliveryRow & Record<string, unknown>>(
      `UPDATE webhook_deliveries SET ${AGAIN} $3 WHERE endpoint_id = $1 AND delivery_id = $2 RETURNING ${DELIVERY_COLUMNS}`,
      [endpointId, deliveryId, now],
    );
    return row;
  }

  /** @returns how many, the oldest first */
  async restartFailed(tx: Transaction, endpointId: string, { since, until, types }: Range, limit: number, now: Date): Promise<number> {
    const rows = await tx.query(
      `UPDATE webhook_deliveries SET ${AGAIN} $6 WHERE delivery_id IN (
         SELECT delivery_id FROM webhook_deliveries
          WHERE endpoint_id = $1 AND status = 'failed' AND event_at >= $2 AND ($3::timestamptz IS NULL OR event_at < $3)
            AND ($4::text[] IS NULL OR type = ANY ($4)) ORDER BY position LIMIT $5)
       RETURNING 1`,
      [endpointId, since, until, types, limit, now],
    );
    return rows.length;
  }

  /** Events that the endpoint was never to be sent, of the types that it wants now; the oldest first. */
  async missed(tx: Transaction, endpoint: EndpointRow, { since, until, types }: Range, limit: number): Promise<PublicEvent[]> {
    const rows = await tx.query<EventRow>(
      `SELECT event_id AS id, type, occurred_at AS "occurredAt", sequence, data FROM events v
        WHERE organization_id = $1 AND occurred_at >= $3 AND ($4::timestamptz IS NULL OR occurred_at < $4)
          AND ($5::text[] IS NULL OR type = ANY ($5)) AND (cardinality($6::text[]) = 0 OR type = ANY ($6))
          AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = $2 AND d.event_id = v.event_id)
        ORDER BY sequence LIMIT $7`,
      [endpoint.organizationId, endpoint.endpointId, since, until, types, endpoint.eventTypes, limit],
    );
    return rows.map(({ occurredAt, sequence, ...event }) => ({ ...event, timestamp: occurredAt.toISOString(), sequence: Number(sequence) }));
  }
}
