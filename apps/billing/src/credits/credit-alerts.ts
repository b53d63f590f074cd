import { Injectable } from '@nestjs/common';
import { getCreditAlerts, setCreditAlerts, type CreditAlerts, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { AccountsRepository } from '../ledger/accounts.repository.js';
import { EnsureAccount } from '../plans/apply-plan.js';

@Injectable()
export class GetCreditAlerts {
  constructor(private readonly ensureAccount: EnsureAccount) {}

  @Handles(getCreditAlerts)
  async execute({ organizationId }: RpcInput<typeof getCreditAlerts>): Promise<CreditAlerts> {
    const { alerts } = await this.ensureAccount.execute(organizationId);
    return alerts ?? { remaining: [], consumed: [] };
  }
}

@Injectable()
export class SetCreditAlerts {
  constructor(
    private readonly ensureAccount: EnsureAccount,
    private readonly accounts: AccountsRepository,
  ) {}

  @Handles(setCreditAlerts)
  async execute({ organizationId, remaining, consumed }: RpcInput<typeof setCreditAlerts>): Promise<CreditAlerts> {
    await this.ensureAccount.execute(organizationId);
    const alerts = { remaining: ascending(remaining).reverse(), consumed: ascending(consumed) };
    await this.accounts.saveAlerts(organizationId, alerts);
    return alerts;
  }
}

/** Each once. */
const ascending = (thresholds: readonly number[]) => [...new Set(thresholds)].sort((a, b) => a - b);
