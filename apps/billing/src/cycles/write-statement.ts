import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { statementClosed } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import type { AccountRow } from '../accounts/account.row.js';
import { CycleSums, type CycleSum } from './cycle-sums.js';

/** What a cycle came to, which never changes again: the sum of the entries that carry its start. */
@Injectable()
export class WriteStatement {
  constructor(
    private readonly sums: CycleSums,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async execute(tx: Transaction, account: AccountRow, start: Date, end: Date): Promise<void> {
    const sum = await this.sum(tx, account, start);
    const statementId = randomUUID();
    const [row] = await tx.query<{ credits: number; amount: string }>(
      `INSERT INTO statements (statement_id, organization_id, cycle_start, cycle_end, credits, amount, currency, classrooms, closed_at)
       SELECT $1, $2, $3, $4, $7, $8, $5, count(*), $6 FROM room_meters WHERE organization_id = $2 AND started_at >= $3 AND started_at < $4
       RETURNING credits::float8 AS credits, amount`,
      [statementId, account.organizationId, start, end, account.currency, this.clock.now(), sum.credits, sum.amount],
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

  /** What the closing left to add is little: the transactions before it added up the rest. */
  private async sum(tx: Transaction, account: AccountRow, start: Date): Promise<CycleSum> {
    for (;;) {
      const sum = await this.sums.advance(tx, account.organizationId, start);
      if (sum) return sum;
    }
  }

  /** The end of the last closed cycle: a new one must not begin before it. */
  async lastEnd(tx: Transaction, organizationId: string): Promise<Date | undefined> {
    const [row] = await tx.query<{ end: Date | null }>('SELECT max(cycle_end) AS "end" FROM statements WHERE organization_id = $1', [organizationId]);
    return row?.end ?? undefined;
  }
}
