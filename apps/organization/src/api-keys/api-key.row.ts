import type { ApiKey, ApiKeyWithSecret } from '@classroom/contracts';
import { FORM, tokenOf } from './secrets.js';

export interface ApiKeyRow {
  keyId: string;
  organizationId: string;
  prefix: string;
  name: string;
  scopes: string[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  idempotencyKey: string | null;
  rotationKey: string | null;
  createdAt: Date;
}

export interface SecretRow {
  hash: Buffer;
  /** Null: the present one. */
  validUntil: Date | null;
}

export const API_KEY_COLUMNS = `k.key_id AS "keyId", k.organization_id AS "organizationId", k.prefix, k.name, k.scopes,
  k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt", k.idempotency_key AS "idempotencyKey",
  k.rotation_key AS "rotationKey", k.created_at AS "createdAt"`;

/** @param previousUntil end of the last of the secrets before, where one is still taken */
export const toApiKey = (row: ApiKeyRow, previousUntil: Date | null): ApiKey => ({
  keyId: row.keyId,
  name: row.name,
  prefix: `${FORM}${row.prefix}`,
  scopes: row.scopes,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  previousSecretExpiresAt: previousUntil?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

export const withSecret = (row: ApiKeyRow, previousUntil: Date | null, secret: string): ApiKeyWithSecret => ({
  ...toApiKey(row, previousUntil),
  secret: tokenOf(row.prefix, secret),
});
