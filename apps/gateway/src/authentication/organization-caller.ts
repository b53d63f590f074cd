import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { apiKeyRpc, AppError, credentialRpc, MAX_REPORTED_USES, organizationId, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock, logger } from '@classroom/platform';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { apiKeyOf } from '../limits/failed-authentication-limit.js';
import { ApiKeyDirectory, CredentialDirectory, type KnownCredential } from './credential-directory.js';
import { OrganizationDirectory, requireOpen } from './organization-directory.js';

const FLUSH_INTERVAL_MS = 10_000;

interface Use {
  id: string;
  usedAt: string;
}

/** When each credential of one kind was last used. */
class UseLog {
  private uses = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly report: (uses: Use[]) => Promise<unknown>,
  ) {}

  record(id: string): void {
    this.uses.set(id, this.clock.now());
    // A report covers many requests and belongs to none of their traces.
    this.timer ??= context.with(ROOT_CONTEXT, () => setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref());
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    const uses = [...this.uses].map(([id, at]) => ({ id, usedAt: at.toISOString() }));
    this.uses = new Map();
    this.timer = undefined;
    try {
      for (let at = 0; at < uses.length; at += MAX_REPORTED_USES) await this.report(uses.slice(at, at + MAX_REPORTED_USES));
    } catch (error) {
      logger.warn({ err: error }, 'use of credentials not recorded');
    }
  }
}

/** When API keys and values of VF-ORG-ID were last used. Reported in batches after ten seconds, so that no request waits for it. */
@Injectable()
export class CredentialUses implements BeforeApplicationShutdown {
  private readonly keys: UseLog;
  private readonly credentials: UseLog;

  constructor(rpc: RpcClient, clock: Clock) {
    this.keys = new UseLog(clock, (uses) => rpc.call(apiKeyRpc.used, { uses: uses.map(({ id: keyId, usedAt }) => ({ keyId, usedAt })) }));
    this.credentials = new UseLog(clock, (uses) =>
      rpc.call(credentialRpc.used, { uses: uses.map(({ id: credentialId, usedAt }) => ({ credentialId, usedAt })) }),
    );
  }

  recordKey(keyId: string): void {
    this.keys.record(keyId);
  }

  recordCredential(credentialId: string): void {
    this.credentials.record(credentialId);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.keys.flush(), this.credentials.flush()]);
  }
}

/** Authenticates an organization's backend: by a value of VF-ORG-ID, by an API key, or by both if they match. */
@Injectable()
export class OrganizationCaller {
  constructor(
    private readonly organizations: OrganizationDirectory,
    private readonly credentials: CredentialDirectory,
    private readonly keys: ApiKeyDirectory,
    private readonly uses: CredentialUses,
    private readonly clock: Clock,
  ) {}

  /** Synchronous if the credential and its organization are cached. @throws AppError UNAUTHORIZED, ORGANIZATION_NOT_FOUND, FORBIDDEN */
  authenticate(request: FastifyRequest): void | Promise<void> {
    const key = apiKeyOf(request.headers);
    return key === undefined ? this.authenticateByValue(request) : this.authenticateByKey(request, key);
  }

  private authenticateByValue(request: FastifyRequest): void | Promise<void> {
    const value = organizationId.safeParse(request.headers['vf-org-id']);
    if (!value.success) throw new AppError('UNAUTHORIZED');
    const unknown = request.requestContext.endpoint?.unknownOrganization ?? 'UNAUTHORIZED';
    const accept = (credential: KnownCredential, organization: Organization | undefined) => {
      if (!organization) throw new AppError(unknown);
      requireOpen(request.requestContext.endpoint, organization, this.clock.now());
      const { credentialId } = credential;
      request.requestContext.caller = { kind: 'organization', organization, credentialId };
      this.uses.recordCredential(credentialId);
    };
    const recognize = (credential: KnownCredential | undefined): void | Promise<void> => {
      if (!credential) throw new AppError(unknown);
      const found = this.organizations.find(credential.organizationId);
      return found instanceof Promise ? found.then((organization) => accept(credential, organization)) : accept(credential, found);
    };
    const known = this.credentials.find(value.data);
    return known instanceof Promise ? known.then(recognize) : recognize(known);
  }

  private async authenticateByKey(request: FastifyRequest, token: string): Promise<void> {
    const key = await this.keys.find(token);
    const named = request.headers['vf-org-id'];
    if (named !== undefined && (typeof named !== 'string' || !(await this.credentials.isOf(key.organizationId, named))))
      throw new AppError('UNAUTHORIZED');
    const organization = await this.organizations.find(key.organizationId);
    if (!organization) throw new AppError('UNAUTHORIZED');
    requireOpen(request.requestContext.endpoint, organization, this.clock.now());
    const { keyId, scopes, expiresAt } = key;
    request.requestContext.caller = { kind: 'organization', organization, apiKey: { keyId, scopes, expiresAt } };
    this.uses.recordKey(keyId);
  }
}
