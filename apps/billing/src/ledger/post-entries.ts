import { Inject, Injectable } from '@nestjs/common';
import { accountChanged, creditsLow, creditsOverconsumed, creditThresholdReached, type EventData } from '@classroom/contracts';
import { fact, Outbox, type Fact } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import type { AccountEntity } from '../schema/account.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { LedgerRepository, type NewEntry, type EntryTerms } from './ledger.repository.js';

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

export interface Posting {
  account: AccountEntity;
  entries: readonly NewEntry[];
  /** The account's own if undefined. */
  terms?: EntryTerms;
}

/** Writes entries to the ledger and updates the account's balance, in one transaction that holds the lock of the balance. */
@Injectable()
export class PostEntries {
  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly ledger: LedgerRepository,
    private readonly accounts: AccountsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Updates `account` in place, so that the caller can continue with it. `terms` differ from the account's own if the entries belong to a
   * plan that has ended.
   */
  async execute(tx: Transaction, account: AccountEntity, entries: readonly NewEntry[], terms: EntryTerms = account): Promise<void> {
    await this.executeAll(tx, [{ account, entries, terms }]);
  }

  /** As `execute`, for many accounts, each at most once. */
  async executeAll(tx: Transaction, all: readonly Posting[]): Promise<void> {
    const postings = all.filter(({ entries }) => entries.length > 0);
    if (postings.length === 0) return;
    const entries = postings.flatMap(({ account, entries: own, terms = account }) => own.map((entry) => ({ ...termsOf(terms), ...entry })));
    await this.ledger.insert(tx, entries, this.clock.now());
    const facts = postings.flatMap((posting) => this.apply(posting));
    await this.accounts.saveBalances(
      tx,
      postings.map(({ account }) => account),
    );
    await this.outbox.addAll(tx, facts);
  }

  /** Adds the entries to the account. @returns the facts of what changed */
  private apply({ account, entries, terms = account }: Posting): Fact[] {
    const total = entries.reduce((sum, entry) => sum + entry.signedCredits, 0);
    const before = { ...account };
    account.balance += total;
    account.version += 1;
    // The next cycle begins with what was posted to it before (close-cycles.ts).
    if (terms.cycleStart && terms.cycleStart.getTime() === account.cycleStart?.getTime()) account.cycleCredits += total;
    account.isLow = account.billingType === 'PREPAID' && account.balance < this.config.CREDITS_LOW_THRESHOLD;
    return this.facts(before, account);
  }

  private facts(before: AccountEntity, after: AccountEntity): Fact[] {
    const { organizationId, balance, version } = after;
    const account = { organizationId, remainingCredits: balance };
    const facts: Fact[] = [
      fact(accountChanged, organizationId, {
        ...account,
        version,
        isOverconsumed: isOverconsumed(after),
        isExhausted: isExhausted(after),
      }),
    ];
    if (after.isLow && !before.isLow) {
      facts.push(fact(creditsLow, organizationId, { ...account, threshold: this.config.CREDITS_LOW_THRESHOLD }));
    }
    if (isOverconsumed(after) && !isOverconsumed(before)) facts.push(fact(creditsOverconsumed, organizationId, account));
    return [...facts, ...alertFacts(before, after)];
  }
}

/**
 * The terms of an entry about something that happened at `at`: if the account's cycle had ended by then and is not closed yet, the entry belongs to
 * the next one. A cycle that is closed never changes, so what becomes known after that belongs to the open one.
 */
export const termsAt = (account: AccountEntity, at: Date): EntryTerms =>
  account.cycleEnd && at >= account.cycleEnd ? { ...account, cycleStart: account.cycleEnd } : account;

const termsOf = ({ organizationId, creditRate, currency, cycleStart }: EntryTerms) => ({
  organizationId,
  creditRate,
  currency,
  cycleStart,
});
