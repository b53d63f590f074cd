import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { dashboardTokenRpc, dashboardTokensRevoked, type RpcOutput } from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import { OwnerLookupCache } from './owner-lookup-cache.js';

/** The valid version of each organization's dashboard tokens. */
@Injectable()
export class DashboardTokenVersions implements OnModuleInit {
  private readonly cache: OwnerLookupCache<RpcOutput<typeof dashboardTokenRpc.version>>;

  constructor(
    rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {
    const lookUp = (organizationId: string) => rpc.call(dashboardTokenRpc.version, { organizationId });
    this.cache = new OwnerLookupCache(lookUp, 'ORGANIZATION_NOT_FOUND');
  }

  onModuleInit(): void {
    this.cache.invalidateOn(this.connection, dashboardTokensRevoked);
  }

  /** Whether tokens with this version are valid. @throws AppError SERVICE_UNAVAILABLE if the owner is unreachable */
  async isValid(organizationId: string, version: number): Promise<boolean> {
    let known = await this.cache.find(organizationId);
    // A token that was created since the owner's answer was cached may have a later version.
    if (known && known.version < version) known = await this.cache.findFresh(organizationId);
    return known?.version === version;
  }
}
