import { Injectable } from '@nestjs/common';
import { AppError, createWebhookEndpoint, type RpcInput, type WebhookEndpointWithSecret } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { randomId } from '../history/random-id.js';
import { AuditChanges } from '../audit/audit-changes.js';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';
import { EndpointAddress } from './endpoint-address.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { SigningSecrets } from './signing-secrets.js';
import { auditedFields, toEndpoint } from './to-endpoint.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';

const MAX_ENDPOINTS = 16;

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
      if ((await this.endpoints.count(tx, organizationId)) >= MAX_ENDPOINTS) throw new AppError('TOO_MANY_WEBHOOK_ENDPOINTS');
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
