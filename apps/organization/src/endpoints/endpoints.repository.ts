import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { ENDPOINT_COLUMNS, type EndpointRow } from './endpoint.row.js';

type Row = EndpointRow & Record<string, unknown>;

const WHERE_OWN = 'WHERE organization_id = $1 AND endpoint_id = $2 AND deleted_at IS NULL';

@Injectable()
export class EndpointsRepository {
  constructor(private readonly database: Database) {}

  /** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, also for another organization's */
  async get(organizationId: string, endpointId: string): Promise<EndpointRow> {
    const [row] = await this.database.query<Row>(`SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints ${WHERE_OWN}`, [organizationId, endpointId]);
    if (!row) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
    return row;
  }

  /** As `get`, and nobody else changes it until `tx` ends. */
  async getForUpdate(tx: Transaction, organizationId: string, endpointId: string): Promise<EndpointRow> {
    const sql = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints ${WHERE_OWN} FOR NO KEY UPDATE`;
    const [row] = await tx.query<Row>(sql, [organizationId, endpointId]);
    if (!row) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
    return row;
  }

  /** Nothing where it was deleted meanwhile. */
  async lock(tx: Transaction, endpointId: string): Promise<EndpointRow | undefined> {
    const sql = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE endpoint_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;
    const [row] = await tx.query<Row>(sql, [endpointId]);
    return row;
  }

  ofOrganization(organizationId: string): Promise<EndpointRow[]> {
    return this.database.query<Row>(
      `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY created_at, endpoint_id`,
      [organizationId],
    );
  }

  /** Endpoints of one organization are made one after the other. @throws AppError ORGANIZATION_NOT_FOUND */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<void> {
    const rows = await tx.query('SELECT 1 FROM organizations WHERE organization_id = $1 FOR NO KEY UPDATE', [organizationId]);
    if (rows.length === 0) throw new AppError('ORGANIZATION_NOT_FOUND');
  }

  async count(tx: Transaction, organizationId: string): Promise<number> {
    const sql = 'SELECT count(*)::int AS count FROM webhook_endpoints WHERE organization_id = $1 AND deleted_at IS NULL';
    const [row] = await tx.query<{ count: number }>(sql, [organizationId]);
    return row?.count ?? 0;
  }

  async findByIdempotencyKey(tx: Transaction, organizationId: string, key: string): Promise<EndpointRow | undefined> {
    const sql = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE organization_id = $1 AND idempotency_key = $2`;
    const [row] = await tx.query<Row>(sql, [organizationId, key]);
    return row;
  }

  async insert(tx: Transaction, row: EndpointRow): Promise<void> {
    await tx.query(
      `INSERT INTO webhook_endpoints (endpoint_id, organization_id, url, description, event_types, secret, idempotency_key,
                                      idempotency_hash, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [row.endpointId, row.organizationId, row.url, row.description, row.eventTypes, row.secret, row.idempotencyKey, row.idempotencyHash, row.createdAt],
    );
  }

  async save(tx: Transaction, row: EndpointRow): Promise<void> {
    await tx.query(
      `UPDATE webhook_endpoints SET url = $2, description = $3, event_types = $4, secret = $5, previous_secret = $6,
              previous_secret_until = $7, is_enabled = $8, disabled_reason = $9, disabled_at = $10, failing_since = $11,
              held_until = $12, rotation_key = $13, updated_at = $14 WHERE endpoint_id = $1`,
      [
        row.endpointId,
        row.url,
        row.description,
        row.eventTypes,
        row.secret,
        row.previousSecret,
        row.previousSecretUntil,
        row.isEnabled,
        row.disabledReason,
        row.disabledAt,
        row.failingSince,
        row.heldUntil,
        row.rotationKey,
        row.updatedAt,
      ],
    );
  }

  /** Hides it; a sweep takes its deliveries and then itself away. */
  async markDeleted(tx: Transaction, endpointId: string, at: Date): Promise<void> {
    await tx.query('UPDATE webhook_endpoints SET deleted_at = $2, idempotency_key = NULL WHERE endpoint_id = $1', [endpointId, at]);
  }

  /** Those that have something due which may be sent; a slow one's thousand count as much as another's one. */
  async withDue(now: Date, wall: Date): Promise<string[]> {
    const rows = await this.database.prepared<{ endpointId: string }>(
      'webhook_endpoints_due',
      `SELECT endpoint_id AS "endpointId" FROM webhook_endpoints e
        WHERE is_enabled AND deleted_at IS NULL AND (held_until IS NULL OR held_until <= $1)
          AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.endpoint_id AND d.status = 'pending'
                         AND d.due_at <= $1 AND (d.leased_until IS NULL OR d.leased_until <= $2))`,
      [now, wall],
    );
    return rows.map(({ endpointId }) => endpointId);
  }

  /** @returns how many of a deleted endpoint's deliveries are gone, `limit` at most; those without any go themselves */
  async eraseDeleted(limit: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM webhook_deliveries WHERE delivery_id IN
         (SELECT d.delivery_id FROM webhook_deliveries d JOIN webhook_endpoints e USING (endpoint_id) WHERE e.deleted_at IS NOT NULL LIMIT $1)
       RETURNING 1`,
      [limit],
    );
    if (rows.length === 0) {
      await this.database.query(
        `DELETE FROM webhook_endpoints e WHERE deleted_at IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.endpoint_id)`,
      );
    }
    return rows.length;
  }
}
