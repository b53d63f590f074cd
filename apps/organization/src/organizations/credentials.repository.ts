import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { arraysOf, Database, isUniqueViolation, type Transaction } from '@classroom/persistence';
import { IsNull, MoreThan, type FindOptionsWhere } from 'typeorm';
import { randomId } from '../schema/random-id.js';
import { OrganizationCredentialEntity } from '../schema/organization-credential.entity.js';
import { sql } from '../schema/sql.js';
import { hashOf, hintOf } from './credential-values.js';

export interface CredentialUse {
  credentialId: string;
  usedAt: Date;
}

interface NewCredential {
  organizationId: string;
  value: string;
  expiresAt?: Date | null;
  idempotencyKey?: string | null;
  createdAt: Date;
}

const LOCK = { mode: 'for_no_key_update' } as const;

const lockOrganization = sql('credentials.lockOrganization', 'SELECT 1 FROM organizations WHERE organization_id = $1 FOR NO KEY UPDATE');

const markUsed = sql(
  'credentials.markUsed',
  `WITH due AS (
     SELECT c.credential_id, u.at FROM organization_credentials c JOIN unnest($1::text[], $2::timestamptz[]) AS u(credential_id, at) USING (credential_id)
      WHERE c.last_used_at IS NULL OR c.last_used_at <= u.at - interval '1 minute' FOR NO KEY UPDATE OF c SKIP LOCKED)
   UPDATE organization_credentials c SET last_used_at = due.at FROM due WHERE c.credential_id = due.credential_id`,
);

const removeOf = sql('credentials.removeOf', 'DELETE FROM organization_credentials WHERE organization_id = ANY($1)');

/** Not revoked, and not expired at `now`. */
const valid = (organizationId: string, now: Date): FindOptionsWhere<OrganizationCredentialEntity>[] =>
  [IsNull(), MoreThan(now)].map((expiresAt) => ({ organizationId, revokedAt: IsNull(), expiresAt }));

@Injectable()
export class CredentialsRepository {
  constructor(private readonly database: Database) {}

  /** Until `tx` ends, so that credentials of one organization change one at a time. @throws AppError ORGANIZATION_NOT_FOUND */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<void> {
    if (!(await tx.first(lockOrganization, organizationId))) throw new AppError('ORGANIZATION_NOT_FOUND');
  }

  async removeOf(tx: Transaction, organizationIds: string[]): Promise<void> {
    await tx.run(removeOf, organizationIds);
  }

  /** Includes expired credentials: they count until they are revoked. */
  count(tx: Transaction, organizationId: string): Promise<number> {
    return tx.manager.countBy(OrganizationCredentialEntity, { organizationId, revokedAt: IsNull() });
  }

  countValid(tx: Transaction, organizationId: string, now: Date): Promise<number> {
    return tx.manager.countBy(OrganizationCredentialEntity, valid(organizationId, now));
  }

  existsByIdempotencyKey(tx: Transaction, organizationId: string, idempotencyKey: string): Promise<boolean> {
    return tx.manager.existsBy(OrganizationCredentialEntity, { organizationId, idempotencyKey });
  }

  /** @throws AppError CREDENTIAL_ALREADY_EXISTS if any organization has or had the value */
  async insert(
    tx: Transaction,
    { value, expiresAt = null, idempotencyKey = null, ...given }: NewCredential,
  ): Promise<OrganizationCredentialEntity> {
    const row = {
      ...given,
      expiresAt,
      idempotencyKey,
      credentialId: randomId('cred'),
      hash: hashOf(value),
      hint: hintOf(value),
      lastUsedAt: null,
      revokedAt: null,
    };
    try {
      await tx.manager.insert(OrganizationCredentialEntity, row);
    } catch (error) {
      if (isUniqueViolation(error, 'organization_credentials_hash_key')) throw new AppError('CREDENTIAL_ALREADY_EXISTS', { cause: error });
      throw error;
    }
    return row;
  }

  /** Oldest first. */
  list(organizationId: string): Promise<OrganizationCredentialEntity[]> {
    const order = { createdAt: 'ASC', credentialId: 'ASC' } as const;
    return this.database.manager.find(OrganizationCredentialEntity, { where: { organizationId, revokedAt: IsNull() }, order });
  }

  /** @throws AppError CREDENTIAL_NOT_FOUND, also if the credential belongs to another organization */
  async getForUpdate(tx: Transaction, organizationId: string, credentialId: string): Promise<OrganizationCredentialEntity> {
    const where = { organizationId, credentialId, revokedAt: IsNull() };
    const row = await tx.manager.findOne(OrganizationCredentialEntity, { where, lock: LOCK });
    if (!row) throw new AppError('CREDENTIAL_NOT_FOUND');
    return row;
  }

  async markRevoked(tx: Transaction, credentialId: string, revokedAt: Date): Promise<void> {
    await tx.manager.update(OrganizationCredentialEntity, { credentialId }, { revokedAt });
  }

  findByHash(hash: Buffer): Promise<OrganizationCredentialEntity | null> {
    return this.database.manager.findOneBy(OrganizationCredentialEntity, { hash, revokedAt: IsNull() });
  }

  /** Writes a credential's last use at most once a minute, however many gateways report it. Skips one whose row another process has locked. */
  async markUsed(uses: readonly CredentialUse[]): Promise<void> {
    await this.database.run(markUsed, ...arraysOf(uses, 'credentialId', 'usedAt'));
  }
}
