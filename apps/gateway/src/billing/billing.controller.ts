import { Controller } from '@nestjs/common';
import { billingRpc, getBalance, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { PlanGuard } from '../authentication/plan-guard.js';
import { CallingOrganization, Endpoint } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class BillingController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly planGuard: PlanGuard,
  ) {}

  @Endpoint(getBalance)
  async balance(@CallingOrganization() organization: Organization) {
    await this.planGuard.require(organization);
    const { organizationId } = organization;
    return success(await this.rpc.call(billingRpc.balance, { organizationId }), 'Balance retrieved');
  }
}
