import { Inject, Injectable } from '@nestjs/common';
import { AppError, createApiKey, invalidField, MAX_API_KEYS, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import type { OrganizationConfig } from '../config.js';
import { randomId } from '../schema/random-id.js';
import { auditedFields, withSecret } from './to-api-key.js';
import type { ApiKeyEntity } from '../schema/api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { SCOPES_VERSION } from './scopes-of.js';
import { newPrefix, newSecret } from './secrets.js';
import { requireNoMoreRights, rightsOf } from './api-key-rights.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';

const DAY_MS = 86_400_000;

@Injectable()
export class CreateApiKey {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly audit: AuditChanges,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: OrganizationConfig,
  ) {}

  /**
   * A second request with the same Idempotency-Key creates no key and is rejected: the secret is not stored, so it cannot be
   * returned again.
   * @throws AppError ORGANIZATION_NOT_FOUND, UNAUTHORIZED, VALIDATION_FAILED, FORBIDDEN, TOO_MANY_API_KEYS, IDEMPOTENCY_CONFLICT
   */
  @Handles(createApiKey)
  async execute(input: RpcInput<typeof createApiKey>) {
    const row = this.newRow(input);
    if (input.by) requireNoMoreRights(rightsOf(input.by), row);
    const { secret, hash } = newSecret();
    await this.database.transaction(async (tx) => {
      await this.organizations.lock(tx, row.organizationId);
      // Its revocation, which takes the same lock, may have overtaken this request.
      if (row.createdByKey !== null && !(await this.keys.isValid(tx, row.createdByKey))) throw new AppError('UNAUTHORIZED');
      if (row.idempotencyKey !== null && (await this.keys.existsByIdempotencyKey(tx, row.organizationId, row.idempotencyKey))) {
        throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'This Idempotency-Key has made an API key, whose secret is shown once' });
      }
      if ((await this.keys.count(tx, row.organizationId)) >= MAX_API_KEYS) throw new AppError('TOO_MANY_API_KEYS');
      await this.keys.insert(tx, row);
      await this.keys.addSecret(tx, row.keyId, hash);
      const { organizationId, keyId: id } = row;
      await this.audit.record(tx, { organizationId, kind: 'api-key', id, before: null, after: auditedFields(row) });
    });
    return withSecret(row, null, secret);
  }

  private newRow(input: RpcInput<typeof createApiKey>): ApiKeyEntity {
    const createdAt = this.clock.now();
    return {
      keyId: randomId('key'),
      organizationId: input.organizationId,
      prefix: newPrefix(),
      name: input.name,
      scopes: input.scopes,
      scopesVersion: SCOPES_VERSION,
      expiresAt: this.expiryOf(input, createdAt),
      lastUsedAt: null,
      createdByKey: input.by?.keyId ?? null,
      idempotencyKey: input.idempotency?.key ?? null,
      rotationKey: null,
      revokedAt: null,
      createdAt,
    };
  }

  /** @throws AppError VALIDATION_FAILED */
  private expiryOf({ expiresAt }: RpcInput<typeof createApiKey>, createdAt: Date): Date | null {
    const { API_KEY_MAX_DAYS: days } = this.config;
    const latest = days === undefined ? null : new Date(createdAt.getTime() + days * DAY_MS);
    if (expiresAt === undefined) return latest;
    const until = new Date(expiresAt);
    if (until <= createdAt) throw invalidField('expiresAt', 'must be in the future');
    if (latest && until > latest) throw invalidField('expiresAt', `must be at most ${days} days from now`);
    return until;
  }
}
