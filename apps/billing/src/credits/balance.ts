import type { Balance } from '@classroom/contracts';
import { money } from '../ledger/to-ledger-entry.js';
import { isOverconsumed } from '../accounts/credit-status.js';
import type { AccountEntity } from '../schema/account.entity.js';

/** The account as its organization sees it. `classrooms` is the number of classes that began in the open cycle (postpaid). */
export function toBalance(account: AccountEntity, classrooms: number): Balance {
  const rate = { creditRate: Number(account.creditRate), currency: account.currency };
  if (account.billingType === 'PREPAID') {
    const { balance } = account;
    const over = isOverconsumed(account);
    return {
      type: 'PREPAID',
      status: over ? 'OVERCONSUMED' : 'ACTIVE',
      remainingCredits: balance,
      displayCredits: Math.abs(balance),
      isOverconsumed: over,
      estimatedValue: money(balance, account.creditRate),
      ...rate,
      message: over ? `${-balance} credits overconsumed` : `${balance} credits remaining`,
    };
  }
  const used = account.cycleCredits === 0 ? 0 : -account.cycleCredits;
  return {
    type: 'POSTPAID',
    status: 'CONSUMED',
    billingFrequency: account.billingFrequency ?? 'MONTHLY',
    cycleStartDate: account.cycleStart?.toISOString() ?? '',
    creditsConsumed: used,
    creditsThisCycle: used,
    estimatedCost: money(used, account.creditRate),
    ...rate,
    classroomsThisCycle: classrooms,
    message: `${used} credits consumed in this cycle`,
  };
}
