import { Controller } from '@nestjs/common';
import { createDashboardToken, dashboardTokenRpc, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { DashboardTokens } from '../authentication/dashboard-tokens.js';
import { Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class DashboardTokensController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly tokens: DashboardTokens,
    private readonly clock: Clock,
  ) {}

  @Endpoint(createDashboardToken)
  async createDashboardToken(@Input() { params, body }: EndpointInput<typeof createDashboardToken>) {
    const { organizationId } = params;
    const { version } = await this.rpc.call(dashboardTokenRpc.version, { organizationId });
    const { subject, role, ttlSeconds } = body;
    const { token, expiresAt } = this.tokens.sign({ organizationId, version, subject, role }, ttlSeconds, this.clock.wall());
    return success({ token, expiresAt: expiresAt.toISOString() }, 'Dashboard token created');
  }
}
