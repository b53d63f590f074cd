import { Controller } from '@nestjs/common';
import { billingRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { Database } from '@classroom/persistence';

interface StatementRow {
  statementId: string;
  cycleStart: Date;
  cycleEnd: Date;
  creditsConsumed: number;
  amount: string;
  currency: string;
  classrooms: number;
  closedAt: Date;
}

@Controller()
export class StatementsRpc {
  constructor(private readonly database: Database) {}

  @RpcHandler(billingRpc.statements)
  async list({ organizationId }: RpcInput<typeof billingRpc.statements>) {
    const rows = await this.database.query<StatementRow & Record<string, unknown>>(
      `SELECT statement_id AS "statementId", cycle_start AS "cycleStart", cycle_end AS "cycleEnd",
              credits::float8 AS "creditsConsumed", amount, currency, classrooms, closed_at AS "closedAt"
         FROM statements WHERE organization_id = $1 ORDER BY cycle_start DESC LIMIT 200`,
      [organizationId],
    );
    return rows.map((row) => ({
      ...row,
      amount: Number(row.amount),
      cycleStart: row.cycleStart.toISOString(),
      cycleEnd: row.cycleEnd.toISOString(),
      closedAt: row.closedAt.toISOString(),
    }));
  }
}
