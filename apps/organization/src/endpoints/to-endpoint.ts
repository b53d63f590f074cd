import type { WebhookEndpoint } from '@classroom/contracts';
import { originOf, withheld } from '../audit/audit-changes.js';
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

/** What the audit log says about an endpoint. Its address may contain a secret. */
export const auditedFields = (row: WebhookEndpointEntity) => ({
  url: originOf(row.url),
  eventTypes: row.eventTypes,
  description: withheld(row.description),
  isEnabled: row.isEnabled,
  secret: withheld(row.secret),
});
