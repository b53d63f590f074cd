import { Injectable } from '@nestjs/common';
import { AppError, organizationId, type Organization } from '@classroom/contracts';
import { Clock } from '@classroom/platform';
import type { FastifyRequest } from 'fastify';
import { apiKeyOf } from '../limits/failed-authentication-limit.js';
import { ApiKeyDirectory, CredentialDirectory, type KnownCredential } from './credential-directory.js';
import { OrganizationDirectory, requireOpen } from './organization-directory.js';
import { CredentialUses } from './credential-uses.js';

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
