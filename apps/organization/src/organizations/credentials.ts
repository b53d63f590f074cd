import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  createCredential,
  credentialRevoked,
  credentialRpc,
  invalidField,
  listCredentials,
  revokeCredential,
  type RpcInput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import type { OrganizationConfig } from '../config.js';
import { auditedFields, newValue, requireStrong, toCredential, withValue } from './credential-values.js';
import { CredentialsRepository } from './credentials.repository.js';

const MAX_CREDENTIALS = 10;

@Injectable()
export class ChangeCredentials {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<OrganizationConfig, 'DEPLOYMENT'>,
    private readonly database: Database,
    private readonly credentials: CredentialsRepository,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * A second request with the same Idempotency-Key creates no credential and is rejected: the value is not stored, so it cannot be returned
   * again.
   * @throws AppError ORGANIZATION_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN, TOO_MANY_CREDENTIALS, CREDENTIAL_ALREADY_EXISTS, IDEMPOTENCY_CONFLICT
   */
  @Handles(createCredential)
  async createCredential({ organizationId, value: chosen, expiresAt, isByKey, idempotency }: RpcInput<typeof createCredential>) {
    requireNoKey(isByKey);
    requireStrong(this.config, 'value', chosen);
    const value = chosen ?? newValue();
    const now = this.clock.now();
    const until = expiresAt === undefined ? null : new Date(expiresAt);
    if (until && until <= now) throw invalidField('expiresAt', 'must be in the future');
    const idempotencyKey = idempotency?.key ?? null;
    const row = await this.database.transaction(async (tx) => {
      await this.credentials.lockOrganization(tx, organizationId);
      if (idempotencyKey !== null && (await this.credentials.existsByIdempotencyKey(tx, organizationId, idempotencyKey))) {
        throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'This Idempotency-Key has created a credential, whose value is shown once' });
      }
      if ((await this.credentials.count(tx, organizationId)) >= MAX_CREDENTIALS) throw new AppError('TOO_MANY_CREDENTIALS');
      const created = await this.credentials.insert(tx, { organizationId, value, expiresAt: until, idempotencyKey, createdAt: now });
      const { credentialId: id } = created;
      await this.audit.record(tx, { organizationId, kind: 'credential', id, before: null, after: auditedFields(created) });
      return created;
    });
    return withValue(row, value);
  }

  /** @throws AppError CREDENTIAL_NOT_FOUND, FORBIDDEN, LAST_CREDENTIAL */
  @Handles(revokeCredential)
  async revokeCredential({ organizationId, credentialId, isByKey, isByOperator }: RpcInput<typeof revokeCredential>) {
    requireNoKey(isByKey);
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      // Of two requests that each revoke one of the last two, the second one finds a single one left.
      await this.credentials.lockOrganization(tx, organizationId).catch(hasNoCredential);
      const row = await this.credentials.getForUpdate(tx, organizationId, credentialId);
      await this.credentials.markRevoked(tx, credentialId, now);
      if (!isByOperator && (await this.credentials.countValid(tx, organizationId, now)) === 0) throw new AppError('LAST_CREDENTIAL');
      const before = auditedFields(row);
      await this.audit.record(tx, { organizationId, kind: 'credential', id: credentialId, before, after: null });
      await this.outbox.add(tx, fact(credentialRevoked, credentialId, { organizationId, credentialId }));
    });
    return { credentialId, revokedAt: now.toISOString() };
  }
}

/** A credential has every permission: an API key that could create one would grant more than its scopes. */
function requireNoKey(isByKey: boolean): void {
  if (isByKey) throw new AppError('FORBIDDEN', { message: 'An API key can’t manage credentials: use VF-ORG-ID' });
}

/** An operator may name an organization that does not exist. */
function hasNoCredential(error: unknown): never {
  if (error instanceof AppError && error.code === 'ORGANIZATION_NOT_FOUND') throw new AppError('CREDENTIAL_NOT_FOUND', { cause: error });
  throw error;
}

@Injectable()
export class FindCredentials {
  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialsRepository,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(listCredentials)
  async listCredentials({ organizationId }: RpcInput<typeof listCredentials>) {
    const rows = await this.credentials.list(organizationId);
    if (rows.length === 0) await this.database.transaction((tx) => this.credentials.lockOrganization(tx, organizationId));
    return { credentials: rows.map(toCredential) };
  }

  /** For the gateways, which look up the credential of a request and report its uses. @throws AppError CREDENTIAL_NOT_FOUND */
  @Handles(credentialRpc.find)
  async findCredential({ hash }: RpcInput<typeof credentialRpc.find>) {
    const row = await this.credentials.findByHash(Buffer.from(hash, 'hex'));
    if (!row) throw new AppError('CREDENTIAL_NOT_FOUND');
    const { credentialId, organizationId, expiresAt } = row;
    return { credentialId, organizationId, expiresAt: expiresAt?.toISOString() ?? null };
  }

  @Handles(credentialRpc.used)
  async recordUses({ uses }: RpcInput<typeof credentialRpc.used>) {
    await this.credentials.markUsed(uses.map(({ credentialId, usedAt }) => ({ credentialId, usedAt: new Date(usedAt) })));
    return {};
  }
}
