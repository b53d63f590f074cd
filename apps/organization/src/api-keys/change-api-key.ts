import { Injectable } from '@nestjs/common';
import { apiKeyChanged, AppError, revokeApiKey, rotateApiKey, type RpcInput } from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import type { ApiKeyEntity } from '../schema/api-key.entity.js';
import { auditedFields, rotation, withSecret } from './to-api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { newSecret } from './secrets.js';
import { DashboardSessions } from '../organizations/dashboard-sessions.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { requireScopes, requireNoMoreRights, rightsOf } from './api-key-rights.js';

/**
 * How many secrets of a key may be valid at the same time: the current one and those that rotations left, even if the
 * rotation's answer was lost.
 */
const MAX_SECRETS = 5;

@Injectable()
export class ChangeApiKey {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly dashboardSessions: DashboardSessions,
    private readonly keys: ApiKeysRepository,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError API_KEY_NOT_FOUND, FORBIDDEN, TOO_MANY_API_KEY_SECRETS, IDEMPOTENCY_CONFLICT */
  @Handles(rotateApiKey)
  async rotateApiKey(input: RpcInput<typeof rotateApiKey>) {
    const { organizationId, keyId, graceSeconds, by } = input;
    const rotationKey = input.idempotency?.key ?? null;
    return this.database.transaction(async (tx) => {
      const row = await this.keys.getForUpdate(tx, organizationId, keyId);
      if (by) {
        requireNoMoreRights(rightsOf(by), row);
        await this.requireOwn(tx, organizationId, by.keyId, keyId);
      }
      if (rotationKey !== null && rotationKey === row.rotationKey) {
        throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'This Idempotency-Key has rotated the API key, whose secret is shown once' });
      }
      const now = this.clock.now();
      const until = new Date(now.getTime() + graceSeconds * 1000);
      const before = await this.keys.expireSecrets(tx, keyId, until, now);
      if (before >= MAX_SECRETS) throw new AppError('TOO_MANY_API_KEY_SECRETS');
      const { secret, hash } = newSecret();
      await this.keys.addSecret(tx, keyId, hash);
      await this.keys.markRotated(tx, keyId, rotationKey);
      await this.audit.record(tx, { organizationId, kind: 'api-key', id: keyId, ...rotation(hash) });
      await this.publishChange(tx, row);
      return withSecret(row, before > 0 ? until : null, secret);
    });
  }

  /**
   * Revokes the key and, unless they are kept, those that it created: a stolen key may have created others, which would survive it. The dashboard
   * sessions whose tokens they issued end.
   * @throws AppError ORGANIZATION_NOT_FOUND, API_KEY_NOT_FOUND, FORBIDDEN
   */
  @Handles(revokeApiKey)
  async revokeApiKey({ organizationId, keyId, keepsCreated, by }: RpcInput<typeof revokeApiKey>) {
    return this.database.transaction(async (tx) => {
      // While it is locked, no key of the organization is created that the list would miss.
      const { dashboardTokenVersion } = await this.organizations.lock(tx, organizationId);
      const row = await this.keys.getForUpdate(tx, organizationId, keyId);
      if (by) requireScopes(by, row, 'revoke a key that has it');
      const rows = keepsCreated ? [row] : await this.keys.listWithCreated(tx, organizationId, keyId);
      const now = this.clock.now();
      const keyIds = rows.map((it) => it.keyId);
      await this.keys.markRevoked(tx, keyIds, now);
      for (const it of rows) {
        await this.audit.record(tx, { organizationId, kind: 'api-key', id: it.keyId, before: auditedFields(it), after: null });
        await this.publishChange(tx, it);
      }
      await this.dashboardSessions.endOfKeys(tx, organizationId, keyIds, dashboardTokenVersion);
      return { keyId, revokedAt: now.toISOString(), alsoRevoked: keyIds.filter((it) => it !== keyId) };
    });
  }

  /**
   * A key gets new secrets for itself and for the keys that it created alone, because these end with it: one for another key would survive the
   * revocation of a key that was stolen.
   * @throws AppError FORBIDDEN
   */
  private async requireOwn(tx: Transaction, organizationId: string, by: string | undefined, keyId: string): Promise<void> {
    if (by === keyId) return;
    const own = by === undefined ? [] : await this.keys.listWithCreated(tx, organizationId, by);
    if (own.some((it) => it.keyId === keyId)) return;
    throw new AppError('FORBIDDEN', { message: 'This API key can rotate itself and the keys that it created, not others' });
  }

  private publishChange(tx: Transaction, { organizationId, keyId, prefix }: ApiKeyEntity): Promise<void> {
    return this.outbox.add(tx, fact(apiKeyChanged, prefix, { organizationId, keyId }));
  }
}
