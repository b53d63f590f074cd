import type { AccountEntity } from '../schema/account.entity.js';

export const isOverconsumed = ({ billingType, balance }: Pick<AccountEntity, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance < 0;

/** Prepaid with nothing left: a class continues on credit, a model does not. */
export const isExhausted = ({ billingType, balance }: Pick<AccountEntity, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance <= 0;
