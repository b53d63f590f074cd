import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { IsNull, MoreThan } from 'typeorm';
import { sql } from '../schema/sql.js';
import { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';

export type SealedSecrets = Pick<WebhookEndpointEntity, 'endpointId' | 'secret' | 'previousSecret'>;

const LOCK = { mode: 'for_no_key_update' } as const;

const lock = sql(
  'endpoints.lock',
  `SELECT ${columnsOf(WebhookEndpointEntity)} FROM webhook_endpoints WHERE endpoint_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

const lockEnabled = sql(
  'endpoints.lockEnabled',
  `SELECT endpoint_id AS "endpointId", organization_id AS "organizationId", event_types AS "eventTypes", created_at AS "createdAt"
     FROM webhook_endpoints WHERE organization_id = ANY($1::text[]) AND is_enabled AND deleted_at IS NULL ORDER BY endpoint_id FOR KEY SHARE`,
);

/** Endpoints of one organization that are served at the same time, so that an organization with slow endpoints leaves slots to others. */
const ENDPOINTS_PER_ORGANIZATION = 8;
/** Deliveries with a lease are the oldest, and fewer than these. */
const OLDEST_DELIVERIES = 8;

const findWithDue = sql(
  'endpoints.findWithDue',
  `SELECT endpoint_id AS "endpointId!"
     FROM (SELECT e.endpoint_id, d.due_at, row_number() OVER (PARTITION BY e.organization_id ORDER BY d.is_served DESC, d.due_at, e.endpoint_id) AS turn
             FROM webhook_endpoints e
             CROSS JOIN LATERAL (
               SELECT min(due_at) FILTER (WHERE is_leased IS NOT TRUE) AS due_at, coalesce(bool_or(is_leased), false) AS is_served
                 FROM (SELECT due_at, leased_until > $2 AS is_leased FROM webhook_deliveries
                        WHERE endpoint_id = e.endpoint_id AND status = 'pending' AND due_at <= $1 ORDER BY due_at LIMIT ${OLDEST_DELIVERIES}) oldest) d
            WHERE is_enabled AND deleted_at IS NULL AND (held_until IS NULL OR held_until <= $1)
              AND (d.is_served OR d.due_at IS NOT NULL)) served
    WHERE turn <= ${ENDPOINTS_PER_ORGANIZATION} AND due_at IS NOT NULL ORDER BY turn`,
);

const reseal = sql(
  'endpoints.reseal',
  `UPDATE webhook_endpoints SET secret = coalesce($4, secret), previous_secret = coalesce($5, previous_secret)
    WHERE endpoint_id = $1 AND secret = $2 AND previous_secret IS NOT DISTINCT FROM $3`,
);

const eraseDeleted = sql.planned(
  'endpoints.eraseDeleted',
  `DELETE FROM webhook_endpoints e WHERE deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.endpoint_id)`,
);

@Injectable()
export class EndpointsRepository {
  constructor(private readonly database: Database) {}

  /** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, also if the endpoint belongs to another organization */
  async get(organizationId: string, endpointId: string): Promise<WebhookEndpointEntity> {
    const own = { organizationId, endpointId, deletedAt: IsNull() };
    const row = await this.database.manager.findOneBy(WebhookEndpointEntity, own);
    if (!row) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
    return row;
  }

  /** Like `get`, but locks the row until `tx` ends. */
  async getForUpdate(tx: Transaction, organizationId: string, endpointId: string): Promise<WebhookEndpointEntity> {
    const row = await tx.manager.findOne(WebhookEndpointEntity, { where: { organizationId, endpointId, deletedAt: IsNull() }, lock: LOCK });
    if (!row) throw new AppError('WEBHOOK_ENDPOINT_NOT_FOUND');
    return row;
  }

  /** Locks the endpoint's row until `tx` ends; undefined if the endpoint was deleted. */
  async lock(tx: Transaction, endpointId: string): Promise<WebhookEndpointEntity | undefined> {
    return tx.first(lock, endpointId);
  }

  listByOrganization(organizationId: string): Promise<WebhookEndpointEntity[]> {
    const where = { organizationId, deletedAt: IsNull() };
    return this.database.manager.find(WebhookEndpointEntity, { where, order: { createdAt: 'ASC', endpointId: 'ASC' } });
  }

  /**
   * The enabled endpoints of the organizations. The lock prevents a sweep from deleting an endpoint's row before its deliveries are
   * inserted.
   */
  lockEnabled(tx: Transaction, organizationIds: readonly string[]): Promise<RowOf<typeof lockEnabled>[]> {
    return tx.run(lockEnabled, organizationIds);
  }

  count(tx: Transaction, organizationId: string): Promise<number> {
    return tx.manager.countBy(WebhookEndpointEntity, { organizationId, deletedAt: IsNull() });
  }

  findByIdempotencyKey(tx: Transaction, organizationId: string, idempotencyKey: string): Promise<WebhookEndpointEntity | null> {
    return tx.manager.findOneBy(WebhookEndpointEntity, { organizationId, idempotencyKey });
  }

  async insert(tx: Transaction, row: WebhookEndpointEntity): Promise<void> {
    await tx.manager.insert(WebhookEndpointEntity, row);
  }

  async save(tx: Transaction, row: WebhookEndpointEntity): Promise<void> {
    await tx.manager.update(WebhookEndpointEntity, { endpointId: row.endpointId }, row);
  }

  /** Hides the endpoint. A sweep later deletes its deliveries and then its row. */
  async markDeleted(tx: Transaction, endpointId: string, deletedAt: Date): Promise<void> {
    await tx.manager.update(WebhookEndpointEntity, { endpointId }, { deletedAt, idempotencyKey: null });
  }

  /**
   * Endpoints with at least one due delivery that may be sent now: of each organization those that are being served, then those that wait longest.
   * Each is listed once, however many of its deliveries are due.
   */
  async findWithDue(now: Date, wall: Date): Promise<string[]> {
    return (await this.database.run(findWithDue, now, wall)).map(({ endpointId }) => endpointId);
  }

  /** The next endpoints in the order of their ids, after `endpointId`; includes deleted ones. */
  listSecretsAfter(endpointId: string, limit: number): Promise<SealedSecrets[]> {
    return this.database.manager.find(WebhookEndpointEntity, {
      select: { endpointId: true, secret: true, previousSecret: true },
      where: { endpointId: MoreThan(endpointId) },
      order: { endpointId: 'ASC' },
      take: limit,
    });
  }

  /** Writes only if both secrets are still those in `before`. @param secret null keeps the stored secret; likewise `previousSecret` */
  async reseal(before: SealedSecrets, secret: string | null, previousSecret: string | null): Promise<void> {
    await this.database.run(reseal, before.endpointId, before.secret, before.previousSecret, secret, previousSecret);
  }

  /** Deletes the rows of deleted endpoints that have no deliveries left. */
  async eraseDeleted(): Promise<void> {
    await this.database.run(eraseDeleted);
  }
}
