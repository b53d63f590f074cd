import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, type Organization } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { RpcClient } from '@classroom/messaging';
import { AccountsRepository } from '../ledger/accounts.repository.js';
import { PostEntries } from '../ledger/post-entries.js';
import type { AccountEntity } from '../schema/account.entity.js';
import type { PlanEntity } from '../schema/plan.entity.js';
import { CloseCycles } from './close-cycles.js';
import { cycleAt, type Cycle } from './cycle.js';
import { PlansRepository, StatementsRepository } from './statements.repository.js';

type Plan = NonNullable<Organization['billing']>;
type PostpaidPlan = Extract<Plan, { type: 'POSTPAID' }>;

/**
 * Applies an organization's plan to its account. A change between prepaid and postpaid ends the old plan with a statement of its open cycle
 * and a settled balance, and begins the new plan with its own opening credits.
 */
@Injectable()
export class ApplyPlan {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly plans: PlansRepository,
    private readonly closeCycles: CloseCycles,
    private readonly statements: StatementsRepository,
    private readonly postEntries: PostEntries,
    private readonly clock: Clock,
  ) {}

  /** Runs before `execute`, in transactions of its own: charges usage to a plan that ends, up to its end. Safe to repeat. */
  async prepare({ organizationId, billing, updatedAt }: Organization): Promise<void> {
    const present = await this.accounts.find(organizationId);
    const at = new Date(updatedAt);
    if (billing && present && present.planUpdatedAt < at && isEnded(present, billing))
      await this.closeCycles.chargeThrough(present.accountId, at);
  }

  /**
   * Applies a state of the organization. The latest state is in force, in whatever order the states arrive. Undefined if the organization
   * has no plan.
   */
  async execute(tx: Transaction, organization: Organization): Promise<AccountEntity | undefined> {
    const { organizationId, billing } = organization;
    if (!billing) return undefined;
    // Concurrent calls for a new organization create its account once.
    await this.accounts.lockOrganization(tx, organizationId);
    const present = await this.accounts.lock(tx, organizationId);
    const at = new Date(organization.updatedAt);
    if (present?.planUpdatedAt.getTime() === at.getTime()) return present;
    // The account's plan may be from before the `plans` table existed.
    if (present) await this.plans.add(tx, { ...present, updatedAt: present.planUpdatedAt, openingCredits: 0, isOpened: true });
    const account = present && present.planUpdatedAt > at ? present : await this.activate(tx, organizationId, billing, present, at);
    const openingCredits = billing.type === 'PREPAID' ? billing.credits : 0;
    const { balance } = account;
    const terms = { billingType: billing.type, creditRate: String(billing.creditRate), currency: billing.currency };
    await this.plans.add(tx, { organizationId, updatedAt: at, ...terms, openingCredits, balance, isOpened: false });
    await this.openPeriods(tx, account);
    return account;
  }

  /** Puts the plan into force at `at`. */
  private async activate(
    tx: Transaction,
    organizationId: string,
    plan: Plan,
    present: AccountEntity | undefined,
    at: Date,
  ): Promise<AccountEntity> {
    const before = present && { ...present };
    if (present && isEnded(present, plan)) {
      await this.closeCycles.endOpenCycle(tx, present, at);
      Object.assign(present, { isLow: false, cycleCredits: 0 });
    }
    const isTypeChanged = present !== undefined && present.billingType !== plan.type;
    // Settle while the account is still postpaid: there a balance of 0 does not count as low.
    if (isTypeChanged && plan.type === 'PREPAID') await this.settle(tx, present, present);
    const account = await this.withPlan(tx, organizationId, plan, present, at);
    await this.accounts.savePlan(tx, account);
    if (isTypeChanged && before && plan.type === 'POSTPAID') await this.settle(tx, account, before);
    return account;
  }

  /** Brings the balance to 0 with the last entry of the plan that `ended`. */
  private async settle(tx: Transaction, account: AccountEntity, ended: AccountEntity): Promise<void> {
    if (account.balance === 0) return;
    const entry = { kind: 'CORRECTION' as const, signedCredits: -account.balance, settles: ended.billingType };
    await this.postEntries.execute(tx, account, [entry], { ...ended, cycleStart: null });
  }

  /**
   * Posts the opening credits of every prepaid period once. For a period that is over when it becomes known, it posts the credits and a
   * correction that takes them back. For the present period, it first settles the balance that was left when the period began.
   */
  private async openPeriods(tx: Transaction, account: AccountEntity): Promise<void> {
    for (const { first, isPresent } of unopenedPeriods(await this.plans.list(tx, account.organizationId))) {
      const settled = isPresent ? first.balance : first.openingCredits;
      const opening = { kind: 'OPENING' as const, signedCredits: first.openingCredits };
      const settling = { kind: 'CORRECTION' as const, signedCredits: -settled, settles: 'PREPAID' as const };
      const entries = isPresent ? [settling, opening] : [opening, settling];
      await this.postEntries.execute(
        tx,
        account,
        entries.filter(({ signedCredits }) => signedCredits !== 0),
        { ...first, cycleStart: null },
      );
      await this.plans.markOpened(tx, first);
    }
  }

  private async withPlan(
    tx: Transaction,
    organizationId: string,
    plan: Plan,
    present: AccountEntity | undefined,
    at: Date,
  ): Promise<AccountEntity> {
    const base = present ?? {
      organizationId,
      accountId: randomUUID(),
      cycleCredits: 0,
      balance: 0,
      version: 0,
      isLow: false,
      alerts: null,
    };
    const rate = { billingType: plan.type, creditRate: String(plan.creditRate), currency: plan.currency, planUpdatedAt: at };
    if (plan.type === 'PREPAID') return { ...base, ...rate, billingFrequency: null, cycleAnchor: null, cycleStart: null, cycleEnd: null };
    const { start, end } = await this.cycleOf(tx, plan, present, at);
    const cycleAnchor = new Date(plan.cycleStartDate);
    return { ...base, ...rate, billingFrequency: plan.billingFrequency, cycleAnchor, cycleStart: start, cycleEnd: end };
  }

  private async cycleOf(tx: Transaction, plan: PostpaidPlan, present: AccountEntity | undefined, at: Date): Promise<Cycle> {
    const anchor = new Date(plan.cycleStartDate);
    const from = (start: Date): Cycle => ({ start, end: cycleAt(anchor, plan.billingFrequency, start).end });
    if (!present) return cycleAt(anchor, plan.billingFrequency, at);
    if (!present.cycleStart || !present.cycleEnd)
      return from(later(at, (await this.statements.findLastEnd(tx, present.organizationId)) ?? at));
    // An open cycle keeps its start, so that no usage falls between two cycles. It keeps its end unless anchor or frequency change.
    const isSameSchedule = present.cycleAnchor?.getTime() === anchor.getTime() && present.billingFrequency === plan.billingFrequency;
    // A cycle that has ended is about to be closed with its end; the cycle after it uses the new anchor and frequency.
    const keepsEnd = isSameSchedule || present.cycleEnd <= this.clock.now();
    return { start: present.cycleStart, end: keepsEnd ? present.cycleEnd : from(later(at, present.cycleStart)).end };
  }
}

/** Whether the change ends the present plan and its open cycle. A statement has one currency, so a new one ends the cycle too. */
const isEnded = (present: AccountEntity, plan: Plan) =>
  present.billingType !== plan.type || (plan.type === 'POSTPAID' && present.currency !== plan.currency);

const later = (a: Date, b: Date) => (a > b ? a : b);

interface PrepaidPeriod {
  /** The earliest known state of the period. */
  first: PlanEntity;
  /** Whether the organization is in it now. */
  isPresent: boolean;
}

/** Prepaid periods whose opening credits were not posted. `plans`: all known states of one organization, oldest first. */
export function unopenedPeriods(plans: readonly PlanEntity[]): PrepaidPeriod[] {
  const periods: PlanEntity[][] = [];
  for (const plan of plans) {
    const last = periods.at(-1);
    if (last?.[0]?.billingType === plan.billingType) last.push(plan);
    else periods.push([plan]);
  }
  return periods.flatMap((period) => {
    const [first] = period;
    if (first?.billingType !== 'PREPAID' || period.some(({ isOpened }) => isOpened)) return [];
    return [{ first, isPresent: period === periods.at(-1) }];
  });
}

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
