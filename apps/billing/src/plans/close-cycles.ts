import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { statementClosed } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { AccountEntity } from '../schema/account.entity.js';
import { AccountsRepository, ClassroomsRepository, type OpenCycle } from '../ledger/accounts.repository.js';
import { ChargeMeters } from '../metering/charge-meters.js';
import { DueMetersRepository, type MeterKey } from '../metering/due-meters.repository.js';
import { alertFacts, PostEntries } from '../ledger/post-entries.js';
import { CycleSumsRepository, StatementsRepository, type CycleSum } from './statements.repository.js';
import { cycleAt } from './cycle.js';

/** Writes the statement of a closed cycle, which never changes afterwards: the sum of the entries with its cycle start. */
@Injectable()
export class WriteStatement {
  constructor(
    private readonly sums: CycleSumsRepository,
    private readonly classrooms: ClassroomsRepository,
    private readonly statements: StatementsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async execute(tx: Transaction, account: AccountEntity, start: Date, end: Date): Promise<void> {
    const { organizationId, currency } = account;
    const { credits, amount } = await this.finishSum(tx, account, start);
    const classrooms = await this.classrooms.count(tx, organizationId, start, end);
    const statement = { statementId: randomUUID(), organizationId, cycleStart: start, cycleEnd: end, credits, amount, currency };
    await this.statements.insert(tx, { ...statement, classrooms, closedAt: this.clock.now() });
    const data = {
      organizationId,
      statementId: statement.statementId,
      cycleStart: start.toISOString(),
      cycleEnd: end.toISOString(),
      creditsConsumed: credits,
      amount,
      currency,
    };
    await this.outbox.add(tx, fact(statementClosed, organizationId, data));
  }

  /** Begins the account's new cycle with what was posted to it since the end of the one before. The account must be locked by `tx`. */
  async beginCycle(tx: Transaction, account: AccountEntity, start: Date): Promise<void> {
    const { credits } = await this.finishSum(tx, account, start);
    account.cycleCredits = 0 - credits;
    await this.outbox.addAll(tx, alertFacts({ ...account, cycleCredits: 0 }, account));
  }

  /** Few entries are left to add, because the transactions before the closing one have added the rest. */
  private async finishSum(tx: Transaction, account: AccountEntity, start: Date): Promise<CycleSum> {
    for (;;) {
      const sum = await this.sums.advance(tx, account.organizationId, start);
      if (sum) return sum;
    }
  }
}

/**
 * Closes every cycle that has ended, one after the other, even several after a downtime. It first charges each unsettled room up to the
 * cycle's end and adds up the cycle's entries, one batch of both per transaction. The last transaction writes the statement.
 */
@Injectable()
export class CloseCycles {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly dueMeters: DueMetersRepository,
    private readonly chargeMeters: ChargeMeters,
    private readonly postEntries: PostEntries,
    private readonly sums: CycleSumsRepository,
    private readonly writeStatement: WriteStatement,
    private readonly clock: Clock,
  ) {}

  async execute(accountId: string): Promise<void> {
    const now = this.clock.now();
    await this.closeWhile(accountId, ({ closesAt }) => closesAt <= now);
  }

  /**
   * Closes what should have been closed by now, after a downtime, so that the next entry is at most one cycle ahead. An account whose cycle cannot be
   * closed is charged nevertheless.
   */
  async closeOverdue({ accountId, cycleEnd }: AccountEntity): Promise<void> {
    if (!cycleEnd || cycleEnd > this.clock.now()) return;
    await this.execute(accountId).catch((error: unknown) =>
      logger.warn({ err: error, accountId }, 'a cycle that is overdue was not closed'),
    );
  }

  /** Prepares the end of a plan at `at`: closes cycles that ended by then, and charges usage up to `at`. Safe to repeat. */
  async chargeThrough(accountId: string, at: Date): Promise<void> {
    await this.closeWhile(accountId, ({ cycleEnd }) => cycleEnd <= at);
    await this.chargeInBatches(accountId, at, () => Promise.resolve());
  }

  /** Ends the open cycle when the plan ends at `at`. `account` must be locked by `tx`; afterwards it has no cycle. */
  async endOpenCycle(tx: Transaction, account: AccountEntity, at: Date): Promise<void> {
    while (account.cycleStart && account.cycleEnd && (account.cycleEnd <= at || (await this.isNextBegun(tx, account, account.cycleEnd))))
      await this.close(tx, account, account.cycleStart, account.cycleEnd);
    if (!account.cycleStart) return;
    // A plan change that arrives after its cycle was closed ends the next cycle 1 ms after that one began.
    const end = new Date(Math.max(at.getTime(), account.cycleStart.getTime() + 1));
    await this.writeStatement.execute(tx, account, account.cycleStart, end);
    Object.assign(account, { cycleStart: null, cycleEnd: null, cycleCredits: 0 });
  }

  private async closeWhile(accountId: string, isOver: (cycle: OpenCycle) => boolean): Promise<void> {
    for (;;) {
      const cycle = await this.accounts.findOpenCycle(accountId);
      if (!cycle || !isOver(cycle)) return;
      const { cycleEnd } = cycle;
      await this.chargeInBatches(accountId, cycleEnd, async (tx, account) => {
        // Another process or a plan change may have closed the cycle in the meantime.
        if (account.cycleStart && account.cycleEnd?.getTime() === cycleEnd.getTime())
          await this.close(tx, account, account.cycleStart, cycleEnd);
      });
    }
  }

  /**
   * Charges every unsettled meter up to `through` and adds up the cycle, in batches. Calls `last` in the transaction that leaves nothing to
   * do.
   */
  private async chargeInBatches(
    accountId: string,
    through: Date,
    last: (tx: Transaction, account: AccountEntity) => Promise<void>,
  ): Promise<void> {
    let after: MeterKey | undefined;
    for (let isDone = false; !isDone;) {
      isDone = await this.database.transaction(async (tx) => {
        const account = await this.accounts.lockById(tx, accountId);
        if (!account) return true;
        const { readings, next } = await this.dueMeters.lockAndReadUnsettled(tx, account.organizationId, through, after);
        const entries = await this.chargeMeters.execute(tx, readings);
        await this.postEntries.execute(tx, account, entries.get(account.organizationId) ?? []);
        const isSummed = !account.cycleStart || (await this.sums.advance(tx, account.organizationId, account.cycleStart)) !== undefined;
        if (!next && isSummed) await last(tx, account);
        after = next ?? after;
        return !next && isSummed;
      });
    }
  }

  /** Entries are posted to the next cycle only after the end of the open one. */
  private isNextBegun(tx: Transaction, { organizationId }: AccountEntity, cycleEnd: Date): Promise<boolean> {
    return this.sums.isBegun(tx, organizationId, cycleEnd);
  }

  private async close(tx: Transaction, account: AccountEntity, start: Date, end: Date): Promise<void> {
    await this.writeStatement.execute(tx, account, start, end);
    account.cycleStart = end;
    account.cycleEnd = cycleAt(account.cycleAnchor ?? end, account.billingFrequency ?? 'MONTHLY', end).end;
    await this.writeStatement.beginCycle(tx, account, end);
    await this.accounts.saveCycle(tx, account);
  }
}
