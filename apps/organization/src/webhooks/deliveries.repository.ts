import { Injectable } from '@nestjs/common';
import type { ExampleEvent, PingEvent, PublicEvent } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { currentTraceparent } from '@classroom/platform';
import { randomId } from '../schema/random-id.js';
import { sql } from '../schema/sql.js';
import { WebhookDeliveryEntity } from '../schema/webhook-delivery.entity.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';

/** Selects events by time and type: from `since` up to, but not including, `until`. Null in `until` or `types` sets no limit. */
interface ReplayRange {
  since: Date;
  until: Date | null;
  types: string[] | null;
}

/** A delivery claimed for one attempt, with everything that the attempt needs. `claim` identifies the attempt; `attempts` includes it. */
export type ClaimedDelivery = RowOf<typeof claim>;

interface WantedDelivery {
  endpointId: string;
  event: PublicEvent | PingEvent | ExampleEvent;
  /** Of the work that caused the event; default: the active span. */
  traceparent?: string | null;
}

export type Outcome = Pick<
  WebhookDeliveryEntity,
  'status' | 'dueAt' | 'attemptedAt' | 'statusCode' | 'error' | 'durationMs' | 'responseBody'
>;

const RESTART = `status = 'pending', attempts = 0, due_at = `;

const add = sql(
  'deliveries.add',
  `INSERT INTO webhook_deliveries (delivery_id, endpoint_id, event_id, type, event_at, payload, trace, due_at, created_at)
   SELECT delivery_id, endpoint_id, event_id, type, event_at, payload, trace, :now, :now
     FROM unnest(:deliveryId::text[], :endpointId::text[], :id::text[], :type::text[], :timestamp::timestamptz[], :payload::text[],
                 :traceparent::text[])
          AS t(delivery_id, endpoint_id, event_id, type, event_at, payload, trace)
   ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING 1`,
);

const claim = sql(
  'deliveries.claim',
  `UPDATE webhook_deliveries d SET claim = d.claim + 1, attempts = d.attempts + 1, leased_until = $4
     FROM webhook_endpoints e
    WHERE e.endpoint_id = d.endpoint_id AND e.is_enabled AND e.deleted_at IS NULL AND (e.held_until IS NULL OR e.held_until <= $2)
      AND d.delivery_id = (SELECT delivery_id FROM webhook_deliveries
                            WHERE endpoint_id = $1 AND status = 'pending' AND due_at <= $2 AND (leased_until IS NULL OR leased_until <= $3)
                            ORDER BY due_at, position LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", e.organization_id AS "organizationId", d.event_id AS "eventId",
             d.payload, d.trace, d.claim, d.attempts, e.url, e.secret, e.previous_secret AS "previousSecret",
             e.previous_secret_until AS "previousSecretUntil"`,
);

const settle = sql(
  'deliveries.settle',
  `UPDATE webhook_deliveries SET status = :status, due_at = :dueAt, attempted_at = :attemptedAt, status_code = :statusCode,
          error = :error, duration_ms = :durationMs, response_body = :responseBody, leased_until = NULL
    WHERE delivery_id = :deliveryId AND claim = :claim RETURNING 1`,
);

const restart = sql(
  'deliveries.restart',
  `UPDATE webhook_deliveries SET ${RESTART} $3 WHERE endpoint_id = $1 AND delivery_id = $2 RETURNING ${columnsOf(WebhookDeliveryEntity)}`,
);

const restartFailed = sql(
  'deliveries.restartFailed',
  `UPDATE webhook_deliveries SET ${RESTART} $6 WHERE delivery_id IN (
     SELECT delivery_id FROM webhook_deliveries
      WHERE endpoint_id = $1 AND status = 'failed' AND event_at >= $2 AND ($3::timestamptz IS NULL OR event_at < $3)
        AND ($4::text[] IS NULL OR type = ANY ($4)) ORDER BY position LIMIT $5)
   RETURNING 1`,
);

const deleteOlder = sql.planned(
  'deliveries.deleteOlder',
  'DELETE FROM webhook_deliveries WHERE delivery_id IN (SELECT delivery_id FROM webhook_deliveries WHERE created_at < $1 LIMIT $2) RETURNING 1',
);

const deleteOfDeletedEndpoints = sql.planned(
  'deliveries.deleteOfDeletedEndpoints',
  `DELETE FROM webhook_deliveries WHERE delivery_id IN
     (SELECT d.delivery_id FROM webhook_deliveries d JOIN webhook_endpoints e USING (endpoint_id) WHERE e.deleted_at IS NOT NULL LIMIT $1)
   RETURNING 1`,
);

/** By endpoint, so that the index on its deliveries serves each. */
const scan = sql.planned(
  'deliveries.scan',
  `SELECT d.endpoint_id AS "endpointId", d.position, d.delivery_id AS "deliveryId", CASE WHEN position($2 IN d.payload) > 0 THEN d.payload END AS payload
     FROM webhook_endpoints e
    CROSS JOIN LATERAL (
      SELECT endpoint_id, position, delivery_id, payload FROM webhook_deliveries
       WHERE endpoint_id = e.endpoint_id AND (endpoint_id > $3 OR position > $4) ORDER BY position LIMIT $5) d
    WHERE e.organization_id = $1 AND e.endpoint_id >= $3 ORDER BY d.endpoint_id, d.position LIMIT $5`,
);

/** The endpoint's answer may repeat what was sent. */
const replacePayloads = sql(
  'deliveries.replacePayloads',
  `UPDATE webhook_deliveries d SET payload = t.payload, response_body = NULL FROM unnest($1::text[], $2::text[]) AS t(delivery_id, payload)
    WHERE d.delivery_id = t.delivery_id`,
);

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** Leaves a delivery that already exists unchanged. @returns how many were added */
  async add(tx: Transaction, wanted: readonly WantedDelivery[], now: Date): Promise<number> {
    const rows = wanted.map(({ endpointId, event, traceparent = currentTraceparent() }) => ({
      ...event,
      endpointId,
      deliveryId: randomId('wd'),
      payload: payloadOf(event),
      traceparent,
    }));
    const columns = namedArraysOf(rows, 'deliveryId', 'endpointId', 'id', 'type', 'timestamp', 'payload', 'traceparent');
    const added = await tx.run(add, { ...columns, now });
    return added.length;
  }

  /**
   * Leases the endpoint's longest due delivery for `leaseMs` milliseconds; until then no other worker sends it. Undefined if
   * none is due, the endpoint is disabled or deleted, or its Retry-After has not passed.
   */
  async claim(endpointId: string, now: Date, wall: Date, leaseMs: number): Promise<ClaimedDelivery | undefined> {
    return this.database.first(claim, endpointId, now, wall, new Date(wall.getTime() + leaseMs));
  }

  /** Writes the outcome. False if another attempt has claimed the delivery since: then nothing is written. */
  async settle(tx: Transaction, claimed: ClaimedDelivery, outcome: Outcome): Promise<boolean> {
    const rows = await tx.run(settle, { ...outcome, deliveryId: claimed.deliveryId, claim: claimed.claim });
    return rows.length === 1;
  }

  findByEvent(tx: Transaction, endpointId: string, eventId: string): Promise<WebhookDeliveryEntity | null> {
    return tx.manager.findOneBy(WebhookDeliveryEntity, { endpointId, eventId });
  }

  async restart(tx: Transaction, endpointId: string, deliveryId: string, now: Date): Promise<WebhookDeliveryEntity | undefined> {
    return tx.first(restart, endpointId, deliveryId, now);
  }

  /** Makes failed deliveries due again, the oldest first, at most `limit`. @returns how many */
  async restartFailed(
    tx: Transaction,
    endpointId: string,
    { since, until, types }: ReplayRange,
    limit: number,
    now: Date,
  ): Promise<number> {
    return (await tx.run(restartFailed, endpointId, since, until, types, limit, now)).length;
  }

  /** @returns how many were deleted, `limit` at most */
  async deleteOlder(than: Date, limit: number): Promise<number> {
    return (await this.database.run(deleteOlder, than, limit)).length;
  }

  /** @returns how many were deleted, `limit` at most */
  async deleteOfDeletedEndpoints(limit: number): Promise<number> {
    return (await this.database.run(deleteOfDeletedEndpoints, limit)).length;
  }

  /** The next deliveries, by endpoint and position. `payload` is null where it does not contain `text`. */
  scan(
    tx: Transaction,
    organizationId: string,
    text: string,
    after: { endpointId: string; position: number },
    limit: number,
  ): Promise<RowOf<typeof scan>[]> {
    return tx.run(scan, organizationId, text, after.endpointId, after.position, limit);
  }

  async replacePayloads(tx: Transaction, deliveries: readonly { deliveryId: string; payload: string }[]): Promise<void> {
    await tx.run(replacePayloads, ...arraysOf(deliveries, 'deliveryId', 'payload'));
  }
}

/** The bytes that are sent and signed. */
const payloadOf = ({ id, type, timestamp, sequence, data, ...rest }: PublicEvent | PingEvent | ExampleEvent) =>
  JSON.stringify({ id, type, timestamp, sequence, ...('livemode' in rest ? { livemode: rest.livemode } : {}), data });

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
