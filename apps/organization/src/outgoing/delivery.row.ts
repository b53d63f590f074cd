import type { WebhookDeliverySummary } from '@classroom/contracts';

export interface DeliveryRow {
  deliveryId: string;
  endpointId: string;
  eventId: string;
  type: string;
  payload: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  dueAt: Date | null;
  attemptedAt: Date | null;
  statusCode: number | null;
  error: string | null;
  durationMs: number | null;
  responseBody: string | null;
  createdAt: Date;
  position: string;
}

export const DELIVERY_COLUMNS = `delivery_id AS "deliveryId", endpoint_id AS "endpointId", event_id AS "eventId", type, payload, status,
  attempts, due_at AS "dueAt", attempted_at AS "attemptedAt", status_code AS "statusCode", error, duration_ms AS "durationMs",
  response_body AS "responseBody", created_at AS "createdAt", position`;

export const toDelivery = (row: DeliveryRow): WebhookDeliverySummary => ({
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
