import { creditThresholdReached, type EventData } from '@classroom/contracts';
import { fact, type Fact } from '@classroom/messaging';
import type { AccountEntity } from '../schema/account.entity.js';

export const isOverconsumed = ({ billingType, balance }: Pick<AccountEntity, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance < 0;

/** A prepaid account without remaining credits: its classes continue, but its AI calls are rejected. */
export const isExhausted = ({ billingType, balance }: Pick<AccountEntity, 'billingType' | 'balance'>) =>
  billingType === 'PREPAID' && balance <= 0;

type Crossed = Omit<EventData<typeof creditThresholdReached>, 'organizationId'>;

/**
 * The thresholds of the organization that lie between two states of its account. Every change of credits has one such pair, so each crossing
 * is found once.
 */
function crossedAlerts(before: AccountEntity, after: AccountEntity): Crossed[] {
  const { remaining = [], consumed = [] } = after.alerts ?? {};
  if (after.billingType === 'PREPAID') {
    const crossed = remaining.filter((threshold) => before.balance >= threshold && after.balance < threshold);
    return crossed.map((threshold) => ({ type: 'remaining', threshold, credits: after.balance }));
  }
  const [usedBefore, used] = [-before.cycleCredits, -after.cycleCredits];
  const crossed = consumed.filter((threshold) => usedBefore < threshold && used >= threshold);
  return crossed.map((threshold) => ({ type: 'consumed', threshold, credits: used }));
}

/** The facts about the thresholds that lie between two states of an account. */
export const alertFacts = (before: AccountEntity, after: AccountEntity): Fact[] =>
  crossedAlerts(before, after).map((crossed) =>
    fact(creditThresholdReached, after.organizationId, { organizationId: after.organizationId, ...crossed }),
  );
