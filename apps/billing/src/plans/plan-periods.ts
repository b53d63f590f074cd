/** One state of an organization's plan that was heard of: a row of `plans`. */
export interface KnownPlan {
  organizationId: string;
  updatedAt: Date;
  billingType: 'PREPAID' | 'POSTPAID';
  openingCredits: number;
  creditRate: string;
  currency: string;
  /** The account's, once this state was taken. */
  balance: number;
  /** Whether opening credits were posted with it. */
  isOpened: boolean;
}

export interface PrepaidPeriod {
  /** The earliest state of the period that is known. */
  first: KnownPlan;
  /** Whether the organization is in it now. */
  isPresent: boolean;
}

/** Prepaid periods without opening credits. `plans`: all of one organization that are known, oldest first. */
export function unopenedPeriods(plans: readonly KnownPlan[]): PrepaidPeriod[] {
  const periods: KnownPlan[][] = [];
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
