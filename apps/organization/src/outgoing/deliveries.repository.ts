import { Injectable } from '@nestjs/common';
import type { PingEvent, PublicEvent } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { presentTrace } from '@classroom/platform';
import { randomId } from '../history/random-id.js';
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery.row.js';

type Row = DeliveryRow & Record<string, unknown>;

/** An attempt that may be made now, and all that it needs. */
export interface Claimed extends Record<string, unknown> {
  deliveryId: string;
  endpointId: string;
  organizationId: string;
  eventId: string;
  payload: string;
  trace: string | null;
  /** Of this one attempt. */
  claim: number;
  /** With this one. */
  attempts: number;
  url: string;
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: Date | null;
}

export interface Outcome {
  status: DeliveryRow['status'];
  dueAt: Date | null;
  attemptedAt: Date;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  responseBody: string | null;
}

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** One that is there stays as it is. @returns how many are new */
  async add(tx: Transaction, wanted: readonly { endpointId: string; event: PublicEvent | PingEvent }[], now: Date): Promise<number> {
    const column = <T>(of: (one: (typeof wanted)[number]) => T) => wanted.map(of);
    const rows = await tx.query(
      `INSERT INTO webhook_deliveries (delivery_id, endpoint_id, event_id, type, event_at, payload, trace, due_at, created_at)
       SELECT delivery_id, endpoint_id, event_id, type, event_at, payload, $7, $8, $8
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
              AS t(delivery_id, endpoint_id, event_id, type, event_at, payload)
       ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING 1`,
      [
        column(() => randomId('wd')),
        column(({ endpointId }) => endpointId),
        column(({ event }) => event.id),
        column(({ event }) => event.type),
        column(({ event }) => event.timestamp),
        column(({ event }) => payloadOf(event)),
        presentTrace(),
        now,
      ],
    );
    return rows.length;
  }

  /**
   * Takes the one of an endpoint that has been due longest, for `leaseMs`: nobody else sends it meanwhile. Nothing where
   * none is due, or the endpoint is off or asked for silence.
   */
  async claim(endpointId: string, now: Date, wall: Date, leaseMs: number): Promise<Claimed | undefined> {
    const [row] = await this.database.prepared<Claimed>(
      'webhook_delivery_claim',
      `UPDATE webhook_deliveries d SET claim = d.claim + 1, attempts = d.attempts + 1, leased_until = $4
         FROM webhook_endpoints e
        WHERE e.endpoint_id = d.endpoint_id AND e.is_enabled AND e.deleted_at IS NULL AND (e.held_until IS NULL OR e.held_until <= $2)
          AND d.delivery_id = (SELECT delivery_id FROM webhook_deliveries
                                WHERE endpoint_id = $1 AND status = 'pending' AND due_at <= $2 AND (leased_until IS NULL OR leased_until <= $3)
                                ORDER BY due_at, position LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", e.organization_id AS "organizationId", d.event_id AS "eventId",
                 d.payload, d.trace, d.claim, d.attempts, e.url, e.secret, e.previous_secret AS "previousSecret",
                 e.previous_secret_until AS "previousSecretUntil"`,
      [endpointId, now, wall, new Date(wall.getTime() + leaseMs)],
    );
    return row;
  }

  /** False where the attempt was overtaken by another: nothing is written then. */
  async settle(tx: Transaction, { deliveryId, claim }: Claimed, outcome: Outcome): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE webhook_deliveries SET status = $3, due_at = $4, attempted_at = $5, status_code = $6, error = $7, duration_ms = $8,
              response_body = $9, leased_until = NULL
        WHERE delivery_id = $1 AND claim = $2 RETURNING 1`,
      [
        deliveryId,
        claim,
        outcome.status,
        outcome.dueAt,
        outcome.attemptedAt,
        outcome.statusCode,
        outcome.error,
        outcome.durationMs,
        outcome.responseBody,
      ],
    );
    return rows.length === 1;
  }

  async find(endpointId: string, deliveryId: string): Promise<DeliveryRow | undefined> {
    const sql = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE endpoint_id = $1 AND delivery_id = $2`;
    const [row] = await this.database.query<Row>(sql, [endpointId, deliveryId]);
    return row;
  }

  async ofEvent(tx: Transaction, endpointId: string, eventId: string): Promise<DeliveryRow | undefined> {
    const sql = `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries WHERE endpoint_id = $1 AND event_id = $2`;
    const [row] = await tx.query<Row>(sql, [endpointId, eventId]);
    return row;
  }

  /** Newest first; `before` is a row's position. */
  page(endpointId: string, status: string | undefined, before: string | undefined, limit: number): Promise<DeliveryRow[]> {
    return this.database.query<Row>(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
        WHERE endpoint_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::bigint IS NULL OR position < $3)
        ORDER BY position DESC LIMIT $4`,
      [endpointId, status ?? null, before ?? null, limit],
    );
  }

  /** @returns how many were deleted, `limit` at most */
  async deleteOlder(than: Date, limit: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM webhook_deliveries WHERE delivery_id IN (SELECT delivery_id FROM webhook_deliveries WHERE created_at < $1 LIMIT $2) RETURNING 1`,
      [than, limit],
    );
    return rows.length;
  }

  /** Of endpoints that are on: how many wait, and since when the one that has been due longest. */
  async waiting(): Promise<{ count: number; oldestDue: Date | null }> {
    const [row] = await this.database.query<{ count: number; oldestDue: Date | null }>(
      `SELECT count(*)::int AS count, min(due_at) FILTER (WHERE e.held_until IS NULL OR d.due_at > e.held_until) AS "oldestDue"
         FROM webhook_deliveries d JOIN webhook_endpoints e USING (endpoint_id)
        WHERE d.status = 'pending' AND e.is_enabled AND e.deleted_at IS NULL`,
    );
    return row ?? { count: 0, oldestDue: null };
  }
}

/** The bytes that are sent and signed. */
const payloadOf = ({ id, type, timestamp, sequence, data }: PublicEvent | PingEvent) => JSON.stringify({ id, type, timestamp, sequence, data });
