import { Injectable } from '@nestjs/common';
import { billingRpc, getBalance, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { isExhausted, isOverconsumed } from '../ledger/credit-status.js';
import { ClassroomsRepository } from '../ledger/classrooms.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { EnsureAccount } from '../plans/ensure-account.js';
import { toBalance } from './balance.js';

@Injectable()
export class GetBalance {
  constructor(
    private readonly ensureAccount: EnsureAccount,
    private readonly classrooms: ClassroomsRepository,
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(getBalance)
  async execute({ organizationId }: RpcInput<typeof getBalance>) {
    const account = await this.ensureAccount.execute(organizationId);
    const [classrooms, count] = await Promise.all([this.classrooms.countInOpenCycle(account), this.sessions.countOpen(organizationId)]);
    return toBalance(account, classrooms, { count, now: this.clock.now() });
  }

  @Handles(billingRpc.creditStatus)
  async getCreditStatus({ organizationId }: RpcInput<typeof billingRpc.creditStatus>) {
    const account = await this.ensureAccount.execute(organizationId);
    return { isOverconsumed: isOverconsumed(account), isExhausted: isExhausted(account) };
  }
}
