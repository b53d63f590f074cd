import { Injectable } from '@nestjs/common';
import { billingRpc, getBalance, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { isExhausted, isOverconsumed } from '../accounts/credit-status.js';
import { ClassroomsRepository } from '../accounts/classrooms.repository.js';
import { EnsureAccount } from '../plans/ensure-account.js';
import { toBalance } from './balance.js';

@Injectable()
export class GetBalance {
  constructor(
    private readonly ensureAccount: EnsureAccount,
    private readonly classrooms: ClassroomsRepository,
  ) {}

  @Handles(getBalance)
  async execute({ organizationId }: RpcInput<typeof getBalance>) {
    const account = await this.ensureAccount.execute(organizationId);
    return toBalance(account, await this.classrooms.countInOpenCycle(account));
  }

  @Handles(billingRpc.creditStatus)
  async getCreditStatus({ organizationId }: RpcInput<typeof billingRpc.creditStatus>) {
    const account = await this.ensureAccount.execute(organizationId);
    return { isOverconsumed: isOverconsumed(account), isExhausted: isExhausted(account) };
  }
}
