import { Injectable } from '@nestjs/common';
import {
  AppError,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  invalidField,
  listWebhookEndpoints,
  MAX_WEBHOOK_ENDPOINTS,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  type RpcInput,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { ADDRESS_REASONS, AddressRefused, Clock, Outbound, requireAllowedAddress } from '@classroom/platform';
import { AuditChanges, originOf, withheld } from '../audit/audit-changes.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { randomId } from '../schema/random-id.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { SigningSecrets } from './post-webhook.js';

const toEndpoint = (row: WebhookEndpointEntity): WebhookEndpoint => ({
  endpointId: row.endpointId,
  url: row.url,
  eventTypes: row.eventTypes,
  description: row.description,
  isEnabled: row.isEnabled,
  disabledReason: row.disabledReason,
  disabledAt: row.disabledAt?.toISOString() ?? null,
  failingSince: row.failingSince?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** What the audit log says about an endpoint. Its address may contain a secret. */
const auditedFields = (row: WebhookEndpointEntity) => ({
  url: originOf(row.url),
  eventTypes: row.eventTypes,
  description: withheld(row.description),
  isEnabled: row.isEnabled,
  secret: withheld(row.secret),
});

@Injectable()
export class EndpointAddress {
  constructor(private readonly outbound: Outbound) {}

  /** Rejects at registration an address whose first delivery would be refused. @throws AppError VALIDATION_FAILED */
  async requireAllowed(text: string): Promise<void> {
    try {
      await requireAllowedAddress(this.outbound, text);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalidField('url', ADDRESS_REASONS[error.reason], error);
    }
  }
}

@Injectable()
export class CreateEndpoint {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly audit: AuditChanges,
    private readonly address: EndpointAddress,
    private readonly secrets: SigningSecrets,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError VALIDATION_FAILED, TOO_MANY_WEBHOOK_ENDPOINTS, IDEMPOTENCY_CONFLICT, ORGANIZATION_NOT_FOUND */
  @Handles(createWebhookEndpoint)
  async execute(input: RpcInput<typeof createWebhookEndpoint>) {
    await this.address.requireAllowed(input.url);
    return this.database.transaction(async (tx) => {
      const { organizationId, idempotency } = input;
      await this.organizations.lock(tx, organizationId);
      const earlier = idempotency && (await this.endpoints.findByIdempotencyKey(tx, organizationId, idempotency.key));
      if (earlier) {
        if (earlier.idempotencyHash !== idempotency.bodyHash) throw new AppError('IDEMPOTENCY_CONFLICT');
        return { ...this.withSecret(earlier, this.secrets.open(earlier.endpointId, earlier.secret)), isReplayed: true };
      }
      if ((await this.endpoints.count(tx, organizationId)) >= MAX_WEBHOOK_ENDPOINTS) throw new AppError('TOO_MANY_WEBHOOK_ENDPOINTS');
      const endpointId = randomId('we');
      const { secret, sealed } = this.secrets.create(endpointId);
      const row = this.newRow(input, endpointId, sealed);
      await this.endpoints.insert(tx, row);
      await this.audit.record(tx, { organizationId, kind: 'webhook-endpoint', id: endpointId, before: null, after: auditedFields(row) });
      return this.withSecret(row, secret);
    });
  }

  private withSecret(row: WebhookEndpointEntity, secret: string): WebhookEndpointWithSecret {
    return { ...toEndpoint(row), secret, previousSecretExpiresAt: row.previousSecretUntil?.toISOString() ?? null };
  }

  private newRow(input: RpcInput<typeof createWebhookEndpoint>, endpointId: string, secret: string): WebhookEndpointEntity {
    // Real time, because `createdAt` is compared with the times of events, which are real time.
    const now = this.clock.classTime();
    return {
      endpointId,
      organizationId: input.organizationId,
      url: input.url,
      description: input.description,
      eventTypes: input.eventTypes,
      secret,
      previousSecret: null,
      previousSecretUntil: null,
      isEnabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      lastFailedAt: null,
      heldUntil: null,
      idempotencyKey: input.idempotency?.key ?? null,
      idempotencyHash: input.idempotency?.bodyHash ?? null,
      rotationKey: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
  }
}

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

@Injectable()
export class FindEndpoints {
  constructor(private readonly endpoints: EndpointsRepository) {}

  @Handles(listWebhookEndpoints)
  async listWebhookEndpoints({ organizationId }: RpcInput<typeof listWebhookEndpoints>) {
    return { endpoints: (await this.endpoints.listByOrganization(organizationId)).map(toEndpoint) };
  }

  @Handles(getWebhookEndpoint)
  async getWebhookEndpoint({ organizationId, endpointId }: RpcInput<typeof getWebhookEndpoint>) {
    return toEndpoint(await this.endpoints.get(organizationId, endpointId));
  }
}
