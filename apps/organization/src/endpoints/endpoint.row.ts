import type { WebhookEndpoint } from '@classroom/contracts';

export type DisabledReason = 'requested' | 'gone' | 'failing';

export interface EndpointRow {
  endpointId: string;
  organizationId: string;
  url: string;
  description: string;
  eventTypes: string[];
  /** Sealed. */
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: Date | null;
  isEnabled: boolean;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  failingSince: Date | null;
  heldUntil: Date | null;
  idempotencyKey: string | null;
  idempotencyHash: string | null;
  rotationKey: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const ENDPOINT_COLUMNS = `endpoint_id AS "endpointId", organization_id AS "organizationId", url, description,
  event_types AS "eventTypes", secret, previous_secret AS "previousSecret", previous_secret_until AS "previousSecretUntil",
  is_enabled AS "isEnabled", disabled_reason AS "disabledReason", disabled_at AS "disabledAt", failing_since AS "failingSince",
  held_until AS "heldUntil", idempotency_key AS "idempotencyKey", idempotency_hash AS "idempotencyHash",
  rotation_key AS "rotationKey", created_at AS "createdAt", updated_at AS "updatedAt"`;

export const toEndpoint = (row: EndpointRow): WebhookEndpoint => ({
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
