import type { PlanEntity } from '../schema/plan.entity.js';

export interface PrepaidPeriod {
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
