import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeyDirectory, CredentialDirectory } from './credential-directory.js';
import { DashboardSessions } from './dashboard-tokens.js';
import { OrganizationDirectory } from './organization-directory.js';

/** The organization in the path of an operator's request: its id, or for operators who do not know it, a value of its credentials. */
@Injectable()
export class NamedOrganization {
  constructor(
    private readonly credentials: CredentialDirectory,
    private readonly organizations: OrganizationDirectory,
    private readonly keys: ApiKeyDirectory,
    private readonly sessions: DashboardSessions,
  ) {}

  /** Replaces a value by the organization's id. Anything else is left to the service that is asked for it. */
  resolve({ requestContext: { caller, input } }: FastifyRequest): void | Promise<void> {
    if (caller.kind !== 'dispatch') return undefined;
    const params = input?.params as { organizationId?: string } | undefined;
    return params?.organizationId === undefined ? undefined : this.replace(params as { organizationId: string });
  }

  /**
   * Before the answer to a change of the organization, or of who may act for it: the next call at this gateway knows it, and no credential that was revoked is
   * accepted. Other gateways learn it from its fact. Such changes must be in the audit log. One that was refused changed nothing.
   */
  forgetChanged({ requestContext: { caller, endpoint, input } }: FastifyRequest, status: number): void {
    if (!endpoint || endpoint.method === 'GET' || endpoint.audit !== 'required' || isRefusal(status)) return;
    const { organizationId: named } = (input?.params ?? {}) as { organizationId?: string };
    const changed = 'organization' in caller ? caller.organization.organizationId : named;
    if (changed === undefined) return;
    for (const known of [this.organizations, this.credentials, this.keys, this.sessions]) known.forget(changed);
  }

  private async replace(params: { organizationId: string }): Promise<void> {
    const credential = await this.credentials.find(params.organizationId);
    if (credential) params.organizationId = credential.organizationId;
  }
}

const isRefusal = (status: number) => status >= 400 && status < 500;
