import type { WebhookEndpoint } from '@classroom/contracts';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';

export const toEndpoint = (row: WebhookEndpointEntity): WebhookEndpoint => ({
  endpointId: row.endpointId,
  url: row.url,
  eventTypes: row.eventTypes,
  description: row.description,
  isEnabled: row.isEnabled,
  disabledReason: row.disabledReason,
  disabledAt: row.disabledAt?.toISOString() ?? null,
  failingSince: row.failingSince?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
