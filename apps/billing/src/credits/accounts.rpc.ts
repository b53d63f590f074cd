import { Controller } from '@nestjs/common';
import { billingRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { isExhausted, isOverconsumed } from '../accounts/account.row.js';
import { toBalance } from './balance.js';
import { Classrooms } from '../accounts/classrooms.js';
import { EnsureAccount } from '../plans/ensure-account.js';

@Controller()
export class AccountsRpc {
  constructor(
    private readonly ensureAccount: EnsureAccount,
    private readonly classrooms: Classrooms,
  ) {}

  @RpcHandler(billingRpc.balance)
  async balance({ organizationId }: RpcInput<typeof billingRpc.balance>) {
    const account = await this.ensureAccount.execute(organizationId);
    return toBalance(account, await this.classrooms.inOpenCycle(account));
  }

  @RpcHandler(billingRpc.standing)
  async standing({ organizationId }: RpcInput<typeof billingRpc.standing>) {
    const account = await this.ensureAccount.execute(organizationId);
    return { isOverconsumed: isOverconsumed(account), isExhausted: isExhausted(account) };
  }
}
