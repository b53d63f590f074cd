import type { Credential, CredentialWithValue } from '@classroom/contracts';
import type { OrganizationCredentialEntity } from '../schema/organization-credential.entity.js';

export const toCredential = (row: OrganizationCredentialEntity): Credential => ({
  credentialId: row.credentialId,
  hint: row.hint,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

/** What the audit log says about a credential. */
export const auditedFields = (row: OrganizationCredentialEntity) => ({ expiresAt: row.expiresAt?.toISOString() ?? null });

export const withValue = (row: OrganizationCredentialEntity, value: string): CredentialWithValue => ({ ...toCredential(row), value });
