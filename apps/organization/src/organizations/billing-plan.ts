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
 * The columns of `plan`, which replaces the plan in `present`. Opening credits count once, when a prepaid plan begins. A
 * billing cycle keeps its start unless `plan` gives another.
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
