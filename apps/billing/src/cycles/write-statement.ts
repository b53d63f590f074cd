import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { statementClosed } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { alertFacts } from '../accounts/crossed-alerts.js';
import type { AccountEntity } from '../schema/account.entity.js';
import { CycleSumsRepository, type CycleSum } from './cycle-sums.repository.js';
import { StatementsRepository } from './statements.repository.js';

/** Writes the statement of a closed cycle, which never changes afterwards: the sum of the entries with its cycle start. */
@Injectable()
export class WriteStatement {
  constructor(
    private readonly sums: CycleSumsRepository,
    private readonly statements: StatementsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async execute(tx: Transaction, account: AccountEntity, start: Date, end: Date): Promise<void> {
    const sum = await this.finishSum(tx, account, start);
    const statementId = randomUUID();
    const { organizationId, currency } = account;
    const closedAt = this.clock.now();
    const row = await this.statements.insert(tx, {
      ...sum,
      statementId,
      organizationId,
      cycleStart: start,
      cycleEnd: end,
      currency,
      closedAt,
    });
    const data = {
      organizationId,
      statementId,
      cycleStart: start.toISOString(),
      cycleEnd: end.toISOString(),
      creditsConsumed: row?.credits ?? 0,
      amount: row?.amount ?? '0',
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
