import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  apiKeyChanged,
  apiKeyRpc,
  AppError,
  createApiKey,
  invalidField,
  listApiKeys,
  MAX_API_KEY_SECRETS,
  MAX_API_KEYS,
  revokeApiKey,
  rotateApiKey,
  type ApiKey,
  type ApiKeyWithSecret,
  type RpcInput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import { AuditChanges, withheld } from '../audit/audit-changes.js';
import type { OrganizationConfig } from '../config.js';
import { DashboardSessions } from '../organizations/dashboard-sessions.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import type { ApiKeyEntity } from '../schema/api-key.entity.js';
import { randomId } from '../schema/random-id.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/** What a key may do, and until when. */
export interface ApiKeyRights {
  scopes: readonly string[];
  expiresAt: Date | null;
}

/** Converts the rights of the calling key from the form of the request: `expiresAt` is an ISO 8601 time or null. */
const rightsOf = ({ scopes, expiresAt }: { scopes: string[]; expiresAt: string | null }): ApiKeyRights => ({
  scopes,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
});

/**
 * A caller that authenticates with a key cannot get a key with more scopes or a later expiry than its own: otherwise the scope
 * to manage keys would imply every scope.
 * @throws AppError FORBIDDEN, whose message names what exceeds the caller's rights
 */
export function requireNoMoreRights(own: ApiKeyRights, requested: ApiKeyRights): void {
  requireScopes(own, requested, 'give it');
  if (own.expiresAt && (!requested.expiresAt || requested.expiresAt > own.expiresAt)) {
    throw new AppError('FORBIDDEN', { message: 'This API key can’t give one that outlives it: set expiresAt' });
  }
}

/** A key cannot act on a key that has a scope which it lacks. @throws AppError FORBIDDEN, whose message names the scope */
function requireScopes(own: Pick<ApiKeyRights, 'scopes'>, of: Pick<ApiKeyRights, 'scopes'>, act: string): void {
  const missing = of.scopes.find((scope) => !own.scopes.includes(scope));
  if (missing !== undefined) throw new AppError('FORBIDDEN', { message: `This API key lacks the scope ${missing}, and so can’t ${act}` });
}

const KEY_PREFIX = 'vc_live_';
const PREFIX_BYTES = 8;
const SECRET_BYTES = 32;

const newPrefix = () => randomBytes(PREFIX_BYTES).toString('hex');

/** The part of a key after its prefix, and the SHA-256 hash of that part, which is all that is stored. */
function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: createHash('sha256').update(secret).digest() };
}

/** The whole key, as a caller sends it. */
const tokenOf = (prefix: string, secret: string) => `${KEY_PREFIX}${prefix}_${secret}`;

/** @param previousUntil when the last of the earlier secrets expires; null if none is still valid */
const toApiKey = (row: ApiKeyEntity, previousUntil: Date | null): ApiKey => ({
  keyId: row.keyId,
  name: row.name,
  prefix: `${KEY_PREFIX}${row.prefix}`,
  scopes: row.scopes,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  previousSecretExpiresAt: previousUntil?.toISOString() ?? null,
  createdByKeyId: row.createdByKey,
  createdAt: row.createdAt.toISOString(),
});

/** What the audit log says about an API key. */
const auditedFields = ({ name, scopes, expiresAt, createdByKey }: ApiKeyEntity) => ({
  name,
  scopes,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdByKeyId: createdByKey,
});

/** What it says about a rotation. */
const rotation = (hash: Buffer) => ({ before: { secret: withheld(null) }, after: { secret: withheld(hash) } });

const withSecret = (row: ApiKeyEntity, previousUntil: Date | null, secret: string): ApiKeyWithSecret => ({
  ...toApiKey(row, previousUntil),
  secret: tokenOf(row.prefix, secret),
});

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
      if (before >= MAX_API_KEY_SECRETS) throw new AppError('TOO_MANY_API_KEY_SECRETS');
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

@Injectable()
export class ListApiKeys {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(listApiKeys)
  async execute({ organizationId }: RpcInput<typeof listApiKeys>) {
    const rows = await this.keys.listByOrganization(organizationId, this.clock.now());
    if (rows.length === 0 && !(await this.organizations.find(organizationId))) throw new AppError('ORGANIZATION_NOT_FOUND');
    return { apiKeys: rows.map((row) => toApiKey(row, row.previousUntil)) };
  }
}

/** Serves the gateways: they look up a key, check its secret themselves, and report its uses. */
@Injectable()
export class UseApiKey {
  constructor(private readonly keys: ApiKeysRepository) {}

  @Handles(apiKeyRpc.find)
  async findApiKey({ prefix }: RpcInput<typeof apiKeyRpc.find>) {
    const rows = await this.keys.findByPrefix(prefix);
    const [row] = rows;
    if (!row) throw new AppError('API_KEY_NOT_FOUND');
    const { keyId, organizationId, scopes, expiresAt } = row;
    const secrets = rows.map(({ hash, validUntil }) => ({ hash: hash.toString('hex'), validUntil: validUntil?.toISOString() ?? null }));
    return { keyId, organizationId, scopes, expiresAt: expiresAt?.toISOString() ?? null, secrets };
  }

  @Handles(apiKeyRpc.used)
  async recordUses({ uses }: RpcInput<typeof apiKeyRpc.used>) {
    await this.keys.markUsed(uses.map(({ keyId, usedAt }) => ({ keyId, usedAt: new Date(usedAt) })));
    return {};
  }
}
