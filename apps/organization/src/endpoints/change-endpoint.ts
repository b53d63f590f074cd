import { Injectable } from '@nestjs/common';
import { deleteWebhookEndpoint, rotateWebhookSecret, updateWebhookEndpoint, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';
import { EndpointAddress } from './endpoint-address.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { SigningSecrets } from './signing-secrets.js';
import { auditedFields, toEndpoint } from './to-endpoint.js';

/** Milliseconds for which the previous secret also signs after a rotation. */
const SECRET_OVERLAP_MS = 24 * 3_600_000;

type Fields = ReturnType<typeof auditedFields>;

@Injectable()
export class ChangeEndpoint {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsRepository,
    private readonly audit: AuditChanges,
    private readonly address: EndpointAddress,
    private readonly secrets: SigningSecrets,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, VALIDATION_FAILED */
  @Handles(updateWebhookEndpoint)
  async updateWebhookEndpoint({ organizationId, endpointId, changes }: RpcInput<typeof updateWebhookEndpoint>) {
    if (changes.url !== undefined) await this.address.requireAllowed(changes.url);
    return this.database.transaction(async (tx) => {
      const row = await this.endpoints.getForUpdate(tx, organizationId, endpointId);
      const before = auditedFields(row);
      if (changes.url !== undefined) row.url = changes.url;
      if (changes.eventTypes) row.eventTypes = changes.eventTypes;
      if (changes.description !== undefined) row.description = changes.description;
      if (changes.isEnabled !== undefined) this.setEnabled(row, changes.isEnabled);
      row.updatedAt = this.clock.wall();
      await this.endpoints.save(tx, row);
      await this.recordChange(tx, row, before, auditedFields(row));
      return toEndpoint(row);
    });
  }

  /**
   * A repeated request with the Idempotency-Key of the last rotation returns the same secret.
   * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND
   */
  @Handles(rotateWebhookSecret)
  async rotateWebhookSecret({ organizationId, endpointId, idempotency }: RpcInput<typeof rotateWebhookSecret>) {
    return this.database.transaction(async (tx) => {
      const row = await this.endpoints.getForUpdate(tx, organizationId, endpointId);
      const isReplayed = idempotency !== undefined && idempotency.key === row.rotationKey;
      if (!isReplayed) {
        const before = auditedFields(row);
        row.previousSecret = row.secret;
        row.previousSecretUntil = new Date(this.clock.now().getTime() + SECRET_OVERLAP_MS);
        row.secret = this.secrets.create(endpointId).sealed;
        row.rotationKey = idempotency?.key ?? null;
        row.updatedAt = this.clock.wall();
        await this.endpoints.save(tx, row);
        await this.recordChange(tx, row, before, auditedFields(row));
      }
      const secret = this.secrets.open(endpointId, row.secret);
      return { ...toEndpoint(row), secret, previousSecretExpiresAt: row.previousSecretUntil?.toISOString() ?? null, isReplayed };
    });
  }

  /** @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND */
  @Handles(deleteWebhookEndpoint)
  async deleteWebhookEndpoint({ organizationId, endpointId }: RpcInput<typeof deleteWebhookEndpoint>) {
    return this.database.transaction(async (tx) => {
      const row = await this.endpoints.getForUpdate(tx, organizationId, endpointId);
      const now = this.clock.wall();
      await this.endpoints.markDeleted(tx, endpointId, now);
      await this.recordChange(tx, row, auditedFields(row), null);
      return { endpointId, deletedAt: now.toISOString() };
    });
  }

  private recordChange(tx: Transaction, row: WebhookEndpointEntity, before: Fields, after: Fields | null): Promise<void> {
    const { organizationId, endpointId: id } = row;
    return this.audit.record(tx, { organizationId, kind: 'webhook-endpoint', id, before, after });
  }

  private setEnabled(row: WebhookEndpointEntity, isEnabled: boolean): void {
    if (row.isEnabled === isEnabled) return;
    const off = { disabledReason: 'requested' as const, disabledAt: this.clock.now() };
    // The five days of failures after which an endpoint is disabled start again.
    const on = { disabledReason: null, disabledAt: null, failingSince: null, heldUntil: null };
    Object.assign(row, { isEnabled }, isEnabled ? on : off);
  }
}
