import type { listStatements, RpcOutput } from '@classroom/contracts';
import type { StatementEntity } from '../schema/statement.entity.js';

export const toStatement = (row: StatementEntity): RpcOutput<typeof listStatements>[number] => ({
  statementId: row.statementId,
  cycleStart: row.cycleStart.toISOString(),
  cycleEnd: row.cycleEnd.toISOString(),
  creditsConsumed: row.credits,
  amount: Number(row.amount),
  currency: row.currency,
  classrooms: row.classrooms,
  closedAt: row.closedAt.toISOString(),
});
