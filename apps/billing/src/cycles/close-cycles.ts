import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { statementClosed } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import type { AccountRow } from '../accounts/account.row.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { ChargeMeters } from '../metering/charge-meters.js';
import { MetersRepository } from '../metering/meters.repository.js';
import { cycleAt } from './cycle.js';

/** What belongs to a cycle may still be on its way when it ends: it closes this much later. */
export const CLOSE_AFTER_MS = 45_000;

/**
 * Closes every cycle that has ended, one after the other, also after a downtime over several: each live room is charged
 * through the cycle's end first, then the statement is written, which never changes again.
 */
@Injectable()
export class CloseCycles {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly meters: MetersRepository,
    private readonly chargeMeters: ChargeMeters,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** `account` must be locked by `tx`; it is changed to what it is after. */
  async execute(tx: Transaction, account: AccountRow): Promise<void> {
    while (account.cycleStart && account.cycleEnd && this.isOver(account.cycleEnd)) {
      await this.close(tx, account, account.cycleStart, account.cycleEnd);
    }
  }

  private isOver(end: Date): boolean {
    return end.getTime() + CLOSE_AFTER_MS <= this.clock.now().getTime();
  }

  private async close(tx: Transaction, account: AccountRow, start: Date, end: Date): Promise<void> {
    const readings = await this.meters.unsettled(tx, account.organizationId, end);
    await this.chargeMeters.execute(tx, account, readings, true);
    await this.writeStatement(tx, account, start, end);
    account.cycleStart = end;
    account.cycleEnd = cycleAt(account.cycleAnchor ?? end, account.billingFrequency ?? 'MONTHLY', end).end;
    account.cycleCredits = 0;
    await this.accounts.saveCycle(tx, account);
  }

  private async writeStatement(tx: Transaction, account: AccountRow, start: Date, end: Date): Promise<void> {
    const statementId = randomUUID();
    const [row] = await tx.query<{ credits: number; amount: string }>(
      `INSERT INTO statements (statement_id, organization_id, cycle_start, cycle_end, credits, amount, currency, classrooms, closed_at)
       SELECT $1, $2, $3, $4, e.credits, e.amount, $5, m.classrooms, $6
         FROM (SELECT coalesce(sum(used), 0) AS credits, coalesce(sum(used * credit_rate), 0) AS amount
                 FROM (SELECT CASE WHEN debit_account = 'customer' THEN credits ELSE -credits END AS used, credit_rate
                         FROM ledger_entries WHERE organization_id = $2 AND cycle_start = $3) signed) e,
              (SELECT count(*) AS classrooms FROM room_meters
                WHERE organization_id = $2 AND started_at >= $3 AND started_at < $4) m
       RETURNING credits::float8 AS credits, amount`,
      [statementId, account.organizationId, start, end, account.currency, this.clock.now()],
    );
    const data = {
      organizationId: account.organizationId,
      statementId,
      cycleStart: start.toISOString(),
      cycleEnd: end.toISOString(),
      creditsConsumed: row?.credits ?? 0,
      amount: row?.amount ?? '0',
      currency: account.currency,
    };
    await this.outbox.add(tx, fact(statementClosed, account.organizationId, data));
  }
}
