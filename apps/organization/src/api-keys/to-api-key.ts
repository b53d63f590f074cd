import type { ApiKey, ApiKeyWithSecret } from '@classroom/contracts';
import type { ApiKeyEntity } from '../schema/api-key.entity.js';
import { KEY_PREFIX, tokenOf } from './secrets.js';

/** @param previousUntil when the last of the earlier secrets expires; null if none is still valid */
export const toApiKey = (row: ApiKeyEntity, previousUntil: Date | null): ApiKey => ({
  keyId: row.keyId,
  name: row.name,
  prefix: `${KEY_PREFIX}${row.prefix}`,
  scopes: row.scopes,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  previousSecretExpiresAt: previousUntil?.toISOString() ?? null,
  createdByKeyId: row.createdByKey,
  createdAt: row.createdAt.toISOString(),
});

export const withSecret = (row: ApiKeyEntity, previousUntil: Date | null, secret: string): ApiKeyWithSecret => ({
  ...toApiKey(row, previousUntil),
  secret: tokenOf(row.prefix, secret),
});
