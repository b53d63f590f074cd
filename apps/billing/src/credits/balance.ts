import type { Balance } from '@classroom/contracts';
import { money } from '../ledger/to-ledger-entry.js';
import { isOverconsumed } from '../ledger/credit-status.js';
import type { AccountEntity } from '../schema/account.entity.js';
import { creditsPerHour, reachesZeroAt, type Connected } from './forecast.js';

/**
 * The account as its organization sees it. `classrooms` is the number of classes that began in the open cycle (postpaid). There is a forecast if
 * a participant is connected.
 */
export function toBalance(account: AccountEntity, classrooms: number, connected?: Connected): Balance {
  const live = connected && connected.count > 0 ? connected : undefined;
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
      ...(live && { forecast: { creditsPerHour: creditsPerHour(live), reachesZeroAt: reachesZeroAt(balance, live) } }),
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
    ...(live && { forecast: { creditsPerHour: creditsPerHour(live) } }),
  };
}
