import { Injectable } from '@nestjs/common';
import { AppError, createApiKey, invalidField, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { randomId } from '../history/random-id.js';
import { withSecret } from './to-api-key.js';
import type { ApiKeyEntity } from '../schema/api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { newPrefix, newSecret } from './secrets.js';
import { requireNoMoreRights, rightsOf } from './api-key-rights.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';

const MAX_KEYS = 20;

@Injectable()
export class CreateApiKey {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * A second request with the same Idempotency-Key creates no key and is rejected: the secret is not stored, so it cannot be
   * returned again.
   * @throws AppError ORGANIZATION_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN, TOO_MANY_API_KEYS, IDEMPOTENCY_CONFLICT
   */
  @Handles(createApiKey)
  async execute(input: RpcInput<typeof createApiKey>) {
    const row = this.newRow(input);
    if (row.expiresAt && row.expiresAt <= row.createdAt) throw invalidField('expiresAt', 'must be in the future');
    if (input.by) requireNoMoreRights(rightsOf(input.by), row);
    const { secret, hash } = newSecret();
    await this.database.transaction(async (tx) => {
      await this.organizations.lock(tx, row.organizationId);
      if (row.idempotencyKey !== null && (await this.keys.existsByIdempotencyKey(tx, row.organizationId, row.idempotencyKey))) {
        throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'This Idempotency-Key has made an API key, whose secret is shown once' });
      }
      if ((await this.keys.count(tx, row.organizationId)) >= MAX_KEYS) throw new AppError('TOO_MANY_API_KEYS');
      await this.keys.insert(tx, row);
      await this.keys.addSecret(tx, row.keyId, hash);
    });
    return withSecret(row, null, secret);
  }

  private newRow(input: RpcInput<typeof createApiKey>): ApiKeyEntity {
    return {
      keyId: randomId('key'),
      organizationId: input.organizationId,
      prefix: newPrefix(),
      name: input.name,
      scopes: input.scopes,
      expiresAt: input.expiresAt === undefined ? null : new Date(input.expiresAt),
      lastUsedAt: null,
      idempotencyKey: input.idempotency?.key ?? null,
      rotationKey: null,
      revokedAt: null,
      createdAt: this.clock.now(),
    };
  }
}
