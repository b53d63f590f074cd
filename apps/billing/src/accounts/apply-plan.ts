import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Organization } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { cycleAt } from '../cycles/cycle.js';
import { PostEntries } from '../ledger/post-entries.js';
import type { AccountRow } from './account.row.js';
import { AccountsRepository } from './accounts.repository.js';

type Plan = NonNullable<Organization['billing']>;

/** An organization's plan becomes its account. Opening credits are the ledger's first entry of a prepaid plan. */
@Injectable()
export class ApplyPlan {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly postEntries: PostEntries,
    private readonly clock: Clock,
  ) {}

  /** Free of order: an older state of the organization changes nothing. Undefined where there is no plan. */
  async execute(tx: Transaction, organization: Organization): Promise<AccountRow | undefined> {
    const { organizationId, billing } = organization;
    if (!billing) return undefined;
    // Two who hear of a new organization at once make its account once.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [organizationId]);
    const present = await this.accounts.lock(tx, organizationId);
    const updatedAt = new Date(organization.updatedAt);
    if (present && present.planUpdatedAt >= updatedAt) return present;
    const account = this.withPlan(organizationId, billing, present, updatedAt);
    await this.accounts.savePlan(tx, account);
    const begins = billing.type === 'PREPAID' && present?.billingType !== 'PREPAID';
    if (begins && billing.credits > 0) {
      await this.postEntries.execute(tx, account, [{ kind: 'OPENING', signedCredits: billing.credits }]);
    }
    return account;
  }

  private withPlan(organizationId: string, plan: Plan, present: AccountRow | undefined, planUpdatedAt: Date): AccountRow {
    const base = present ?? { organizationId, accountId: randomUUID(), cycleCredits: 0, balance: 0, version: 0, isLow: false };
    const rate = { billingType: plan.type, creditRate: String(plan.creditRate), currency: plan.currency, planUpdatedAt };
    if (plan.type === 'PREPAID') {
      return { ...base, ...rate, billingFrequency: null, cycleAnchor: null, cycleStart: null, cycleEnd: null };
    }
    const cycleAnchor = new Date(plan.cycleStartDate);
    const { start, end } = cycleAt(cycleAnchor, plan.billingFrequency, this.clock.now());
    // An open cycle keeps its beginning, so that no usage falls between two.
    const cycleStart = (present?.billingType === 'POSTPAID' ? present.cycleStart : null) ?? start;
    return { ...base, ...rate, billingFrequency: plan.billingFrequency, cycleAnchor, cycleStart, cycleEnd: end };
  }
}
