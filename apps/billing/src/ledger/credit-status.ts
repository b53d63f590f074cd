import type { AccountEntity } from '../schema/account.entity.js';

export const isOverconsumed = ({ billingType, balance }: Pick<AccountEntity, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance < 0;

/** A prepaid account without remaining credits: its classes continue, but its AI calls are rejected. */
export const isExhausted = ({ billingType, balance }: Pick<AccountEntity, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance <= 0;
