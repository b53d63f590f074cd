import { Injectable } from '@nestjs/common';
import { billingRpc, getBalance, SECONDS_PER_CREDIT, type RpcInput, type Balance } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { ClassroomsRepository } from '../ledger/accounts.repository.js';
import { isExhausted, isOverconsumed } from '../ledger/credit-status.js';
import { money } from '../ledger/ledger-entry.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { EnsureAccount } from '../plans/apply-plan.js';
import type { AccountEntity } from '../schema/account.entity.js';

@Injectable()
export class GetBalance {
  constructor(
    private readonly ensureAccount: EnsureAccount,
    private readonly classrooms: ClassroomsRepository,
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(getBalance)
  async execute({ organizationId }: RpcInput<typeof getBalance>) {
    const account = await this.ensureAccount.execute(organizationId);
    const [classrooms, count] = await Promise.all([this.classrooms.countInOpenCycle(account), this.sessions.countOpen(organizationId)]);
    return toBalance(account, classrooms, { count, now: this.clock.now() });
  }

  @Handles(billingRpc.creditStatus)
  async getCreditStatus({ organizationId }: RpcInput<typeof billingRpc.creditStatus>) {
    const account = await this.ensureAccount.execute(organizationId);
    return { isOverconsumed: isOverconsumed(account), isExhausted: isExhausted(account) };
  }
}

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

const SECONDS_PER_HOUR = 3_600;

/** Participants who are connected at `now`. */
interface Connected {
  count: number;
  now: Date;
}

/** Credits that the participants use in an hour. */
const creditsPerHour = ({ count }: Connected) => (count * SECONDS_PER_HOUR) / SECONDS_PER_CREDIT;

/** When the participants have used up the credits; null if none are left. */
function reachesZeroAt(credits: number, { count, now }: Connected): string | null {
  if (credits <= 0) return null;
  return new Date(now.getTime() + ((credits * SECONDS_PER_CREDIT) / count) * 1_000).toISOString();
}
