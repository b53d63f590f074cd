import { Injectable } from '@nestjs/common';
import { getCreditAlerts, type CreditAlerts, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { EnsureAccount } from '../plans/ensure-account.js';

@Injectable()
export class GetCreditAlerts {
  constructor(private readonly ensureAccount: EnsureAccount) {}

  @Handles(getCreditAlerts)
  async execute({ organizationId }: RpcInput<typeof getCreditAlerts>): Promise<CreditAlerts> {
    const { alerts } = await this.ensureAccount.execute(organizationId);
    return alerts ?? { remaining: [], consumed: [] };
  }
}
