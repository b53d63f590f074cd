import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CredentialDirectory } from './credential-directory.js';
import { OrganizationDirectory } from './organization-directory.js';

/** The organization in the path of an operator's request: its id, or for operators who do not know it, a value of its credentials. */
@Injectable()
export class NamedOrganization {
  constructor(
    private readonly credentials: CredentialDirectory,
    private readonly organizations: OrganizationDirectory,
  ) {}

  /** Replaces a value by the organization's id. Anything else is left to the service that is asked for it. */
  resolve({ requestContext: { caller, input } }: FastifyRequest): void | Promise<void> {
    if (caller.kind !== 'dispatch') return undefined;
    const params = input?.params as { organizationId?: string } | undefined;
    return params?.organizationId === undefined ? undefined : this.replace(params as { organizationId: string });
  }

  /**
   * Before an operator, a dashboard, or an organization whose erasure it was gets the answer to a change: the next call at this gateway knows it. Other
   * gateways learn it from its fact.
   */
  forgetChanged({ requestContext: { caller, endpoint, input } }: FastifyRequest): void {
    if (!endpoint || endpoint.method === 'GET') return;
    const named = ((input?.params ?? {}) as { organizationId?: string }).organizationId;
    if (caller.kind === 'dispatch' && named !== undefined) this.organizations.forget(named);
    if (caller.kind === 'dashboard' || (caller.kind === 'organization' && endpoint.isForClosed))
      this.organizations.forget(caller.organization.organizationId);
  }

  private async replace(params: { organizationId: string }): Promise<void> {
    const credential = await this.credentials.find(params.organizationId);
    if (credential) params.organizationId = credential.organizationId;
  }
}
