import { Injectable } from '@nestjs/common';
import { AppError, organizationId, type Organization } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import { ApiKeyDirectory } from './api-key-directory.js';
import { ApiKeyUses } from './api-key-uses.js';
import { OrganizationDirectory } from './organization-directory.js';
import { isOneOf } from './secrets.js';

const API_KEY = /^Bearer +(vc_.*)$/i;

/** Authenticates an organization's backend: by the organization's id, by an API key, or by both if they match. */
@Injectable()
export class OrganizationCaller {
  constructor(
    private readonly organizations: OrganizationDirectory,
    private readonly keys: ApiKeyDirectory,
    private readonly uses: ApiKeyUses,
  ) {}

  /** Synchronous if an organization is named by its id and is cached. @throws AppError UNAUTHORIZED, ORGANIZATION_NOT_FOUND */
  authenticate(request: FastifyRequest): void | Promise<void> {
    const [, key] = API_KEY.exec(request.headers.authorization ?? '') ?? [];
    return key === undefined ? this.authenticateById(request) : this.authenticateByKey(request, key);
  }

  private authenticateById(request: FastifyRequest): void | Promise<void> {
    const id = organizationId.safeParse(request.headers['vf-org-id']);
    if (!id.success) throw new AppError('UNAUTHORIZED');
    const unknown = request.requestContext.endpoint?.unknownOrganization ?? 'UNAUTHORIZED';
    const accept = (organization: Organization | undefined) => {
      if (!organization) throw new AppError(unknown);
      request.requestContext.caller = { kind: 'organization', organization };
    };
    const found = this.organizations.find(id.data);
    return found instanceof Promise ? found.then(accept) : accept(found);
  }

  private async authenticateByKey(request: FastifyRequest, token: string): Promise<void> {
    const key = await this.keys.find(token);
    const named = request.headers['vf-org-id'];
    if (named !== undefined && (typeof named !== 'string' || !isOneOf(named, [key.organizationId]))) throw new AppError('UNAUTHORIZED');
    const organization = await this.organizations.find(key.organizationId);
    if (!organization) throw new AppError('UNAUTHORIZED');
    const { keyId, scopes, expiresAt } = key;
    request.requestContext.caller = { kind: 'organization', organization, apiKey: { scopes, expiresAt } };
    this.uses.record(keyId);
  }
}
