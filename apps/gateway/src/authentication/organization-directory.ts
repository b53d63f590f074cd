import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError, getOrganization, organizationUpdated, type EndpointContract, type Organization } from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import type { FastifyRequest } from 'fastify';
import { ApiKeyDirectory, CredentialDirectory } from './credential-directory.js';
import { DashboardSessions } from './dashboard-tokens.js';
import { OwnerLookupCache } from './owner-lookup-cache.js';

/** Organizations by id. */
@Injectable()
export class OrganizationDirectory implements OnModuleInit {
  private readonly cache: OwnerLookupCache<Organization>;

  constructor(
    rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {
    this.cache = new OwnerLookupCache((organizationId) => rpc.call(getOrganization, { organizationId }), 'ORGANIZATION_NOT_FOUND');
  }

  onModuleInit(): void {
    this.cache.invalidateOn(this.connection, organizationUpdated);
  }

  /** Synchronous if cached, otherwise asks the owner. @throws AppError SERVICE_UNAVAILABLE if the owner is unreachable */
  find(organizationId: string): Organization | Promise<Organization | undefined> {
    return this.cache.find(organizationId);
  }

  /** Asks the owner without the cache: needed before a request is rejected because of a cached answer. @throws as `find` does */
  findFresh(organizationId: string): Promise<Organization | undefined> {
    return this.cache.findFresh(organizationId);
  }

  forget(organizationId: string): void {
    this.cache.invalidate(organizationId);
  }
}

type Closing = Pick<Organization, 'closedAt' | 'erasureBeginsAt'>;

/** Whether the erasure of an organization has begun: what it could read is being deleted. */
export const isErased = ({ closedAt, erasureBeginsAt }: Closing, now: Date): boolean =>
  Boolean(closedAt) && !(erasureBeginsAt && Date.parse(erasureBeginsAt) > now.getTime());

const isReading = ({ method, scope }: EndpointContract): boolean => method === 'GET' || Boolean(scope?.endsWith(':read'));

/**
 * An organization whose erasure was requested may read until the erasure begins, and afterwards what is for closed ones.
 * @throws AppError FORBIDDEN
 */
export function requireOpen(endpoint: EndpointContract | undefined, organization: Closing, now: Date): void {
  if (!organization.closedAt || endpoint?.isForClosed) return;
  if (endpoint && isReading(endpoint) && !isErased(organization, now)) return;
  throw new AppError('FORBIDDEN', { message: 'The organization is closed: its erasure was requested' });
}

/** Rejects with 422 if an organization has no billing plan. Before rejecting, it asks the owner. */
@Injectable()
export class BillingPlanCheck {
  constructor(private readonly organizations: OrganizationDirectory) {}

  /** @throws AppError ORGANIZATION_SETUP_INCOMPLETE */
  requireBillingPlan({ requestContext: { endpoint, caller } }: FastifyRequest): void | Promise<void> {
    const organization = 'organization' in caller ? caller.organization : undefined;
    return endpoint?.requiresPlan && !organization?.billing ? this.confirmWithOwner(organization?.organizationId ?? '') : undefined;
  }

  private async confirmWithOwner(organizationId: string): Promise<void> {
    const fresh = await this.organizations.findFresh(organizationId);
    if (!fresh?.billing) throw new AppError('ORGANIZATION_SETUP_INCOMPLETE');
  }
}

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
