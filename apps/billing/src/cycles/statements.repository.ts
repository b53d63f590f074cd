import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';

export interface StatementRow {
  statementId: string;
  cycleStart: Date;
  cycleEnd: Date;
  creditsConsumed: number;
  amount: string;
  currency: string;
  classrooms: number;
  closedAt: Date;
}

@Injectable()
export class StatementsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, up to 200. */
  ofOrganization(organizationId: string): Promise<StatementRow[]> {
    return this.database.query<StatementRow & Record<string, unknown>>(
      `SELECT statement_id AS "statementId", cycle_start AS "cycleStart", cycle_end AS "cycleEnd",
              credits::float8 AS "creditsConsumed", amount, currency, classrooms, closed_at AS "closedAt"
         FROM statements WHERE organization_id = $1 ORDER BY cycle_start DESC LIMIT 200`,
      [organizationId],
    );
  }
}
