import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Organization } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { cycleAt, type Cycle } from '../cycles/cycle.js';
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
    const cycle = this.openCycle(present) ?? cycleAt(cycleAnchor, plan.billingFrequency, planUpdatedAt);
    const hasNewRhythm = present?.cycleAnchor?.getTime() !== cycleAnchor.getTime() || present.billingFrequency !== plan.billingFrequency;
    // One that has ended is about to be closed as it is; the next is the first of the new rhythm.
    if (hasNewRhythm && cycle.end > this.clock.now()) cycle.end = cycleAt(cycleAnchor, plan.billingFrequency, later(planUpdatedAt, cycle.start)).end;
    return { ...base, ...rate, billingFrequency: plan.billingFrequency, cycleAnchor, cycleStart: cycle.start, cycleEnd: cycle.end };
  }

  /** It keeps its start whatever is changed, so that no usage falls between two cycles, and its end unless the rhythm is changed. */
  private openCycle(present: AccountRow | undefined): Cycle | undefined {
    if (present?.billingType !== 'POSTPAID' || !present.cycleStart || !present.cycleEnd) return undefined;
    return { start: present.cycleStart, end: present.cycleEnd };
  }
}

const later = (a: Date, b: Date) => (a > b ? a : b);
