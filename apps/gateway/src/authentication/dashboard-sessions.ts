import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { dashboardTokenRpc, dashboardTokensRevoked, type RpcOutput } from '@classroom/contracts';
import { NATS, RpcClient } from '@classroom/messaging';
import type { DashboardUser } from './dashboard-tokens.js';
import { OwnerLookupCache } from './owner-lookup-cache.js';

type Known = RpcOutput<typeof dashboardTokenRpc.version> & { organizationId: string };

/** Whether dashboard tokens are still valid: their version is that of the organization, and their session was not ended. */
@Injectable()
export class DashboardSessions implements OnModuleInit {
  private readonly cache: OwnerLookupCache<Known>;

  constructor(
    rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {
    const lookUp = async (key: string) => {
      const [organizationId = '', sessionId] = key.split(' ');
      return { organizationId, ...(await rpc.call(dashboardTokenRpc.version, { organizationId, sessionId })) };
    };
    this.cache = new OwnerLookupCache(lookUp, 'ORGANIZATION_NOT_FOUND', ({ organizationId }) => organizationId);
  }

  onModuleInit(): void {
    this.cache.invalidateOn(this.connection, dashboardTokensRevoked);
  }

  /** @throws AppError SERVICE_UNAVAILABLE if the owner is unreachable */
  async isValid({ organizationId, version, sessionId }: DashboardUser): Promise<boolean> {
    const key = sessionId === undefined ? organizationId : `${organizationId} ${sessionId}`;
    let known = await this.cache.find(key);
    // A token that was created since the owner's answer was cached may have a later version.
    if (known && known.version < version) known = await this.cache.findFresh(key);
    return known?.version === version && known.isOpen !== false;
  }

  forget(organizationId: string): void {
    this.cache.invalidate(organizationId);
  }
}
