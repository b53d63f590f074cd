import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { getOrganization, organizationUpdated, type Organization } from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
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
