import { createHash, randomBytes } from 'node:crypto';
import { invalidField, type Credential, type CredentialWithValue } from '@classroom/contracts';
import type { BaseConfig } from '@classroom/platform';
import type { OrganizationCredentialEntity } from '../schema/organization-credential.entity.js';

const VALUE_BYTES = 24;
const SHORT = 16;
const HINT_LENGTH = 4;

/** 192 random bits. The prefix lets scanners recognize a value that was published by mistake. */
export const newValue = () => `vfo_${randomBytes(VALUE_BYTES).toString('base64url')}`;

/** All that is stored of a value. Chosen values are weaker than random ones, but a slower hash would be computed for every request. */
export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/** A short value would be recognizable by its end. */
export const hintOf = (value: string): string => (value.length < SHORT ? '' : value.slice(-HINT_LENGTH));

/** Characters of a chosen value that no one guesses, if they are random: 120 bits in letters and digits. */
const MIN_CHOSEN = 24;

/**
 * In production, a value that an operator chooses is long: it authorizes everything, and strangers may try many. In a local installation it may be short.
 * @throws AppError VALIDATION_FAILED that names the field
 */
export function requireStrong({ DEPLOYMENT }: Pick<BaseConfig, 'DEPLOYMENT'>, field: string, value: string | undefined): void {
  if (DEPLOYMENT !== 'production' || value === undefined || value.length >= MIN_CHOSEN) return;
  throw invalidField(field, `must have at least ${MIN_CHOSEN} characters, because it is a secret; omit it to get a random one`);
}

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
