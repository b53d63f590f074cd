import type { WebhookDeliverySummary } from '@classroom/contracts';
import type { WebhookDeliveryEntity } from '../schema/webhook-delivery.entity.js';

export const toDelivery = (row: WebhookDeliveryEntity): WebhookDeliverySummary => ({
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
