import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { API_KEY_COLUMNS, type ApiKeyRow, type SecretRow } from './api-key.row.js';

type Row = ApiKeyRow & Record<string, unknown>;
export interface Use {
  keyId: string;
  usedAt: Date;
}

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** Keys of one organization are made one after the other. @throws AppError ORGANIZATION_NOT_FOUND */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<void> {
    const rows = await tx.query('SELECT 1 FROM organizations WHERE organization_id = $1 FOR NO KEY UPDATE', [organizationId]);
    if (rows.length === 0) throw new AppError('ORGANIZATION_NOT_FOUND');
  }

  /** Expired ones too: they are there until somebody revokes them. */
  async count(tx: Transaction, organizationId: string): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM api_keys WHERE organization_id = $1 AND revoked_at IS NULL';
    const [row] = await tx.query<{ count: number }>(sql, [organizationId]);
    return row?.count ?? 0;
  }

  async wasMadeBy(tx: Transaction, organizationId: string, idempotencyKey: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM api_keys WHERE organization_id = $1 AND idempotency_key = $2';
    return (await tx.query(sql, [organizationId, idempotencyKey])).length > 0;
  }

  async insert(tx: Transaction, row: ApiKeyRow): Promise<void> {
    await tx.query(
      `INSERT INTO api_keys (key_id, organization_id, prefix, name, scopes, expires_at, idempotency_key, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [row.keyId, row.organizationId, row.prefix, row.name, row.scopes, row.expiresAt, row.idempotencyKey, row.createdAt],
    );
  }

  async addSecret(tx: Transaction, keyId: string, hash: Buffer): Promise<void> {
    await tx.query('INSERT INTO api_key_secrets (key_id, hash) VALUES ($1, $2)', [keyId, hash]);
  }

  /** Each key with the end of the last of its earlier secrets, where one is still taken. */
  ofOrganization(organizationId: string, now: Date): Promise<(ApiKeyRow & { previousUntil: Date | null })[]> {
    return this.database.query<Row & { previousUntil: Date | null }>(
      `SELECT ${API_KEY_COLUMNS},
              (SELECT max(s.valid_until) FROM api_key_secrets s WHERE s.key_id = k.key_id AND s.valid_until > $2) AS "previousUntil"
         FROM api_keys k WHERE k.organization_id = $1 AND k.revoked_at IS NULL ORDER BY k.created_at, k.key_id`,
      [organizationId, now],
    );
  }

  /** Nobody else changes it until `tx` ends. @throws AppError API_KEY_NOT_FOUND, also for another organization's */
  async getForUpdate(tx: Transaction, organizationId: string, keyId: string): Promise<ApiKeyRow> {
    const [row] = await tx.query<Row>(
      `SELECT ${API_KEY_COLUMNS} FROM api_keys k WHERE k.organization_id = $1 AND k.key_id = $2 AND k.revoked_at IS NULL FOR NO KEY UPDATE`,
      [organizationId, keyId],
    );
    if (!row) throw new AppError('API_KEY_NOT_FOUND');
    return row;
  }

  /** Ends each of its secrets at `until`, unless it ends before; what is over goes. @returns how many are left */
  async endSecrets(tx: Transaction, keyId: string, until: Date, now: Date): Promise<number> {
    await tx.query('UPDATE api_key_secrets SET valid_until = least(valid_until, $2) WHERE key_id = $1', [keyId, until]);
    await tx.query('DELETE FROM api_key_secrets WHERE key_id = $1 AND valid_until <= $2', [keyId, now]);
    return (await tx.query('SELECT 1 FROM api_key_secrets WHERE key_id = $1', [keyId])).length;
  }

  async markRotated(tx: Transaction, keyId: string, rotationKey: string | null): Promise<void> {
    await tx.query('UPDATE api_keys SET rotation_key = $2 WHERE key_id = $1', [keyId, rotationKey]);
  }

  async markRevoked(tx: Transaction, keyId: string, at: Date): Promise<void> {
    await tx.query('UPDATE api_keys SET revoked_at = $2 WHERE key_id = $1', [keyId, at]);
    await tx.query('DELETE FROM api_key_secrets WHERE key_id = $1', [keyId]);
  }

  /** With each of its secrets; a revoked key has none. */
  byPrefix(prefix: string): Promise<(ApiKeyRow & SecretRow)[]> {
    return this.database.prepared<Row & SecretRow>(
      'api_keys_by_prefix',
      `SELECT ${API_KEY_COLUMNS}, s.hash, s.valid_until AS "validUntil" FROM api_keys k JOIN api_key_secrets s USING (key_id)
        WHERE k.prefix = $1 AND k.revoked_at IS NULL`,
      [prefix],
    );
  }

  /** Written once a minute for each key, however many gateways tell. What another is writing at this moment it writes. */
  async markUsed(uses: readonly Use[]): Promise<void> {
    await this.database.query(
      `WITH due AS (
         SELECT k.key_id, u.at FROM api_keys k JOIN unnest($1::text[], $2::timestamptz[]) AS u(key_id, at) USING (key_id)
          WHERE k.last_used_at IS NULL OR k.last_used_at <= u.at - interval '1 minute' FOR NO KEY UPDATE OF k SKIP LOCKED)
       UPDATE api_keys k SET last_used_at = due.at FROM due WHERE k.key_id = due.key_id`,
      [uses.map(({ keyId }) => keyId), uses.map(({ usedAt }) => usedAt)],
    );
  }
}
