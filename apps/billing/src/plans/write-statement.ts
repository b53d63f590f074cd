import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { statementClosed } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassroomsRepository } from '../ledger/accounts.repository.js';
import { alertFacts } from '../ledger/credit-status.js';
import type { AccountEntity } from '../schema/account.entity.js';
import { CycleSumsRepository, type CycleSum, StatementsRepository } from './statements.repository.js';

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
