import { Injectable } from '@nestjs/common';
import {
  AppError,
  billingRpc,
  getBalance,
  getCreditAlerts,
  postCredits,
  SECONDS_PER_CREDIT,
  setCreditAlerts,
  type Balance,
  type CreditAlerts,
  type RpcInput,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { Database } from '@classroom/persistence';
import { AccountsRepository, ClassroomsRepository } from '../ledger/accounts.repository.js';
import { isExhausted, isOverconsumed, PostEntries, termsAt } from '../ledger/post-entries.js';
import { money, signedCredits, toLedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { EnsureAccount } from '../plans/apply-plan.js';
import { CloseCycles } from '../plans/close-cycles.js';
import type { AccountEntity } from '../schema/account.entity.js';
import type { LedgerEntryEntity } from '../schema/ledger-entry.entity.js';

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

@Injectable()
export class PostCredits {
  constructor(
    private readonly database: Database,
    private readonly ensureAccount: EnsureAccount,
    private readonly accounts: AccountsRepository,
    private readonly ledger: LedgerRepository,
    private readonly postEntries: PostEntries,
    private readonly classrooms: ClassroomsRepository,
    private readonly closeCycles: CloseCycles,
    private readonly clock: Clock,
  ) {}

  /**
   * Posts a top-up, or a correction if the amount is negative. A request with the same reference and amount is posted once; a repetition
   * returns the first entry.
   * @throws AppError IDEMPOTENCY_CONFLICT if the reference was used with another amount
   */
  @Handles(postCredits)
  async execute({ organizationId, amount, reference, note }: RpcInput<typeof postCredits>) {
    await this.closeCycles.closeOverdue(await this.ensureAccount.execute(organizationId));
    const { entry, account, replayed } = await this.database.transaction(async (tx) => {
      // The account's lock makes look-up and posting atomic: of concurrent requests with one reference, one posts an entry.
      const locked = await this.accounts.lockBalance(tx, organizationId);
      if (!locked) throw new AppError('ORGANIZATION_NOT_FOUND');
      const earlier = await this.ledger.findByReference(tx, organizationId, reference);
      if (earlier) return { entry: sameAmount(earlier, amount), account: locked, replayed: true };
      const kind = amount > 0 ? ('TOP_UP' as const) : ('CORRECTION' as const);
      const terms = termsAt(locked, this.clock.now());
      await this.postEntries.execute(tx, locked, [{ kind, signedCredits: amount, reference, note }], terms);
      const posted = await this.ledger.findByReference(tx, organizationId, reference);
      if (!posted) throw new Error('an entry that was just posted is not there');
      return { entry: posted, account: locked, replayed: false };
    });
    const balance = toBalance(account, await this.classrooms.countInOpenCycle(account));
    return { entry: toLedgerEntry(entry), balance, replayed };
  }
}

function sameAmount(entry: LedgerEntryEntity, amount: number): LedgerEntryEntity {
  if (signedCredits(entry) === amount) return entry;
  throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'This reference was used with another amount' });
}

@Injectable()
export class GetCreditAlerts {
  constructor(private readonly ensureAccount: EnsureAccount) {}

  @Handles(getCreditAlerts)
  async execute({ organizationId }: RpcInput<typeof getCreditAlerts>): Promise<CreditAlerts> {
    const { alerts } = await this.ensureAccount.execute(organizationId);
    return alerts ?? { remaining: [], consumed: [] };
  }
}

@Injectable()
export class SetCreditAlerts {
  constructor(
    private readonly ensureAccount: EnsureAccount,
    private readonly accounts: AccountsRepository,
  ) {}

  @Handles(setCreditAlerts)
  async execute({ organizationId, remaining, consumed }: RpcInput<typeof setCreditAlerts>): Promise<CreditAlerts> {
    await this.ensureAccount.execute(organizationId);
    const alerts = { remaining: ascending(remaining).reverse(), consumed: ascending(consumed) };
    await this.accounts.saveAlerts(organizationId, alerts);
    return alerts;
  }
}

/** Each once. */
const ascending = (thresholds: readonly number[]) => [...new Set(thresholds)].sort((a, b) => a - b);
