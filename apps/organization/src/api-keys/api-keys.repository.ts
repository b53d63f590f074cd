import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { In, IsNull, LessThanOrEqual } from 'typeorm';
import { ApiKeySecretEntity } from '../schema/api-key-secret.entity.js';
import { ApiKeyEntity } from '../schema/api-key.entity.js';
import { sql } from '../schema/sql.js';

export interface KeyUse {
  keyId: string;
  usedAt: Date;
}

const LOCK = { mode: 'for_no_key_update' } as const;

/** The organization's keys that are not revoked, each with the latest expiry of its earlier secrets that are still valid. */
const listByOrganization = sql(
  'api-keys.listByOrganization',
  `SELECT ${columnsOf(ApiKeyEntity, { from: 'k' })},
          (SELECT max(s.valid_until) FROM api_key_secrets s WHERE s.key_id = k.key_id AND s.valid_until > $2) AS "previousUntil"
     FROM api_keys k WHERE k.organization_id = $1 AND k.revoked_at IS NULL ORDER BY k.created_at, k.key_id`,
);

/** The key, and those that it created, directly or through another one, that are not revoked. Locks them until the transaction ends. */
const listWithCreated = sql(
  'api-keys.listWithCreated',
  `WITH RECURSIVE created AS (
     SELECT key_id FROM api_keys WHERE organization_id = $1 AND key_id = $2
     UNION SELECT k.key_id FROM api_keys k JOIN created c ON k.created_by_key = c.key_id WHERE k.organization_id = $1)
   SELECT ${columnsOf(ApiKeyEntity, { from: 'k' })} FROM api_keys k
    WHERE k.key_id IN (SELECT key_id FROM created) AND k.revoked_at IS NULL ORDER BY k.key_id FOR NO KEY UPDATE OF k`,
);

const expireSecrets = sql('api-keys.expireSecrets', 'UPDATE api_key_secrets SET valid_until = least(valid_until, $2) WHERE key_id = $1');

const findByPrefix = sql(
  'api-keys.findByPrefix',
  `SELECT ${columnsOf(ApiKeyEntity, { from: 'k' })}, s.hash, s.valid_until AS "validUntil" FROM api_keys k JOIN api_key_secrets s USING (key_id)
    WHERE k.prefix = $1 AND k.revoked_at IS NULL`,
);

const markUsed = sql(
  'api-keys.markUsed',
  `WITH due AS (
     SELECT k.key_id, u.at FROM api_keys k JOIN unnest($1::text[], $2::timestamptz[]) AS u(key_id, at) USING (key_id)
      WHERE k.last_used_at IS NULL OR k.last_used_at <= u.at - interval '1 minute' FOR NO KEY UPDATE OF k SKIP LOCKED)
   UPDATE api_keys k SET last_used_at = due.at FROM due WHERE k.key_id = due.key_id`,
);

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** Includes expired keys: they count until they are revoked. */
  count(tx: Transaction, organizationId: string): Promise<number> {
    return tx.manager.countBy(ApiKeyEntity, { organizationId, revokedAt: IsNull() });
  }

  /** Whether the key is not revoked. */
  isValid(tx: Transaction, keyId: string): Promise<boolean> {
    return tx.manager.existsBy(ApiKeyEntity, { keyId, revokedAt: IsNull() });
  }

  existsByIdempotencyKey(tx: Transaction, organizationId: string, idempotencyKey: string): Promise<boolean> {
    return tx.manager.existsBy(ApiKeyEntity, { organizationId, idempotencyKey });
  }

  async insert(tx: Transaction, row: ApiKeyEntity): Promise<void> {
    await tx.manager.insert(ApiKeyEntity, row);
  }

  async addSecret(tx: Transaction, keyId: string, hash: Buffer): Promise<void> {
    await tx.manager.insert(ApiKeySecretEntity, { keyId, hash });
  }

  async listByOrganization(organizationId: string, now: Date): Promise<RowOf<typeof listByOrganization>[]> {
    return this.database.run(listByOrganization, organizationId, now);
  }

  /** Locks the key until `tx` ends. @throws AppError API_KEY_NOT_FOUND, also if the key belongs to another organization */
  async getForUpdate(tx: Transaction, organizationId: string, keyId: string): Promise<ApiKeyEntity> {
    const row = await tx.manager.findOne(ApiKeyEntity, { where: { organizationId, keyId, revokedAt: IsNull() }, lock: LOCK });
    if (!row) throw new AppError('API_KEY_NOT_FOUND');
    return row;
  }

  /** Lets each secret of the key expire at `until`, unless it expires earlier, and deletes the expired ones. @returns how many are left */
  async expireSecrets(tx: Transaction, keyId: string, until: Date, now: Date): Promise<number> {
    await tx.run(expireSecrets, keyId, until);
    await tx.manager.delete(ApiKeySecretEntity, { keyId, validUntil: LessThanOrEqual(now) });
    return tx.manager.countBy(ApiKeySecretEntity, { keyId });
  }

  async markRotated(tx: Transaction, keyId: string, rotationKey: string | null): Promise<void> {
    await tx.manager.update(ApiKeyEntity, { keyId }, { rotationKey });
  }

  /** Keys that were created by a revoked key of this one are included. */
  async listWithCreated(tx: Transaction, organizationId: string, keyId: string): Promise<ApiKeyEntity[]> {
    return tx.run(listWithCreated, organizationId, keyId);
  }

  async markRevoked(tx: Transaction, keyIds: readonly string[], revokedAt: Date): Promise<void> {
    const keyId = In(keyIds);
    await tx.manager.update(ApiKeyEntity, { keyId }, { revokedAt });
    await tx.manager.delete(ApiKeySecretEntity, { keyId });
  }

  /** One row for each secret of the key; empty for a revoked or unknown key. */
  async findByPrefix(prefix: string): Promise<RowOf<typeof findByPrefix>[]> {
    return this.database.run(findByPrefix, prefix);
  }

  /** Writes a key's last use at most once a minute, however many gateways report it. Skips a key whose row another process has locked. */
  async markUsed(uses: readonly KeyUse[]): Promise<void> {
    await this.database.run(markUsed, ...arraysOf(uses, 'keyId', 'usedAt'));
  }
}
