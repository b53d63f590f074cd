import type { ApiKey, ApiKeyWithSecret } from '@classroom/contracts';
import type { ApiKeyEntity } from '../schema/api-key.entity.js';
import { withheld } from '../audit/audit-changes.js';
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

/** What the audit log says about an API key. */
export const auditedFields = ({ name, scopes, expiresAt, createdByKey }: ApiKeyEntity) => ({
  name,
  scopes,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdByKeyId: createdByKey,
});

/** What it says about a rotation. */
export const rotation = (hash: Buffer) => ({ before: { secret: withheld(null) }, after: { secret: withheld(hash) } });

export const withSecret = (row: ApiKeyEntity, previousUntil: Date | null, secret: string): ApiKeyWithSecret => ({
  ...toApiKey(row, previousUntil),
  secret: tokenOf(row.prefix, secret),
});
