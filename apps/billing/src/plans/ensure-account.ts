import { Injectable } from '@nestjs/common';
import { AppError, getOrganization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import type { AccountEntity } from '../schema/account.entity.js';
import { AccountsRepository } from '../ledger/accounts.repository.js';
import { ApplyPlan } from './apply-plan.js';

/** Creates an account that no event has created yet, from the organization service's data. */
@Injectable()
export class EnsureAccount {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly applyPlan: ApplyPlan,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND, ORGANIZATION_SETUP_INCOMPLETE, SERVICE_UNAVAILABLE */
  async execute(organizationId: string): Promise<AccountEntity> {
    const known = await this.accounts.find(organizationId);
    if (known) return known;
    const organization = await this.rpc.call(getOrganization, { organizationId });
    const account = await this.database.transaction((tx) => this.applyPlan.execute(tx, organization));
    if (!account) throw new AppError('ORGANIZATION_SETUP_INCOMPLETE');
    return account;
  }
}
