import { Injectable } from '@nestjs/common';
import {
  AppError,
  getWebhookDelivery,
  invalidField,
  listWebhookDeliveries,
  type RpcInput,
  type WebhookDeliverySummary,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import type { WebhookDeliveryEntity } from '../schema/webhook-delivery.entity.js';
import { DeliveryListRepository } from './deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';

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
