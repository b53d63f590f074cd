/** A row of `accounts` under the names of `ACCOUNT_COLUMNS`. */
export interface AccountRow {
  organizationId: string;
  accountId: string;
  billingType: 'PREPAID' | 'POSTPAID';
  creditRate: string;
  currency: string;
  billingFrequency: 'WEEKLY' | 'MONTHLY' | null;
  cycleAnchor: Date | null;
  cycleStart: Date | null;
  cycleEnd: Date | null;
  cycleCredits: number;
  balance: number;
  version: number;
  isLow: boolean;
  planUpdatedAt: Date;
}

export const ACCOUNT_COLUMNS = `
  organization_id AS "organizationId", account_id AS "accountId", billing_type AS "billingType", credit_rate AS "creditRate",
  currency, billing_frequency AS "billingFrequency", cycle_anchor AS "cycleAnchor", cycle_start AS "cycleStart",
  cycle_end AS "cycleEnd", cycle_credits::float8 AS "cycleCredits", balance::float8 AS balance, version::float8 AS version,
  is_low AS "isLow", plan_updated_at AS "planUpdatedAt"`;

export const isOverconsumed = ({ billingType, balance }: Pick<AccountRow, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance < 0;

/** Prepaid with nothing left: a class goes on on credit, a model does not. */
export const isExhausted = ({ billingType, balance }: Pick<AccountRow, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance <= 0;
