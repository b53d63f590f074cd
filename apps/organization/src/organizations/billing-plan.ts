import type { BillingPlan } from '@classroom/contracts';
import type { OrganizationEntity } from '../schema/organization.entity.js';

type PlanColumns = Pick<
  OrganizationEntity,
  'billingType' | 'creditRate' | 'currency' | 'openingCredits' | 'billingFrequency' | 'cycleStart'
>;

export const NO_PLAN: PlanColumns = {
  billingType: null,
  creditRate: null,
  currency: null,
  openingCredits: null,
  billingFrequency: null,
  cycleStart: null,
};

/**
 * The columns of a plan. `present` is the plan so far: opening credits are counted once, when a prepaid plan begins, and a
 * cycle keeps its start unless another is given.
 */
export function toPlanColumns(plan: BillingPlan, present: PlanColumns, now: Date): PlanColumns {
  const rate = { billingType: plan.type, creditRate: plan.creditRate, currency: plan.currency };
  const same = present.billingType === plan.type;
  if (plan.type === 'PREPAID') {
    const openingCredits = same ? present.openingCredits : plan.credits;
    return { ...NO_PLAN, ...rate, openingCredits };
  }
  const given = plan.cycleStartDate ? new Date(plan.cycleStartDate) : undefined;
  const cycleStart = given ?? (same ? present.cycleStart : null) ?? now;
  return { ...NO_PLAN, ...rate, billingFrequency: plan.billingFrequency, cycleStart };
}
