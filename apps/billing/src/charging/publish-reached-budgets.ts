import { Injectable } from '@nestjs/common';
import { roomBudgetReached } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { BudgetWarningsRepository } from '../metering/budget-warnings.repository.js';

/** Publishes that rooms have reached 50, 80 or 100 percent of their budgets, each once, in the transaction that charges them. */
@Injectable()
export class PublishReachedBudgets {
  constructor(
    private readonly warnings: BudgetWarningsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** `tx` must hold the locks of the meters. */
  async execute(tx: Transaction, sids: readonly string[]): Promise<void> {
    if (sids.length === 0) return;
    const reached = await this.warnings.add(tx, sids, this.clock.now());
    const facts = reached.flatMap(({ budget, ...room }) => (budget ? [fact(roomBudgetReached, room.sid, { ...room, budget })] : []));
    await this.outbox.addAll(tx, facts);
  }
}
