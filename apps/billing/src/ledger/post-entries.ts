import { Inject, Injectable } from '@nestjs/common';
import { accountChanged, creditsLow, creditsOverconsumed } from '@classroom/contracts';
import { fact, Outbox, type Fact } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import { isExhausted, isOverconsumed } from '../accounts/credit-status.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import type { BillingConfig } from '../config.js';
import type { AccountEntity } from '../schema/account.entity.js';
import { LedgerRepository, type NewEntry, type EntryTerms } from './ledger.repository.js';

/** The only code that writes to the ledger: entries and the account's balance, in one transaction that holds the account's lock. */
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
   * plan that has ended. Returns the ids of the entries.
   */
  async execute(tx: Transaction, account: AccountEntity, entries: readonly NewEntry[], terms: EntryTerms = account): Promise<string[]> {
    if (entries.length === 0) return [];
    const ids = await this.ledger.insert(tx, terms, entries, this.clock.now());
    const total = entries.reduce((sum, entry) => sum + entry.signedCredits, 0);
    const before = { ...account };
    account.balance += total;
    account.version += 1;
    if (terms.cycleStart) account.cycleCredits += total;
    account.isLow = account.billingType === 'PREPAID' && account.balance < this.config.CREDITS_LOW_THRESHOLD;
    await this.accounts.saveBalance(tx, account);
    await this.outbox.add(tx, ...this.facts(before, account));
    return ids;
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
    return facts;
  }
}
