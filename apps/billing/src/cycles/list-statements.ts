import { Injectable } from '@nestjs/common';
import { listStatements, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { StatementsRepository } from './statements.repository.js';

@Injectable()
export class ListStatements {
  constructor(private readonly statements: StatementsRepository) {}

  @Handles(listStatements)
  async execute({ organizationId }: RpcInput<typeof listStatements>) {
    const rows = await this.statements.listByOrganization(organizationId);
    return rows.map((row) => ({
      statementId: row.statementId,
      cycleStart: row.cycleStart.toISOString(),
      cycleEnd: row.cycleEnd.toISOString(),
      creditsConsumed: row.credits,
      amount: Number(row.amount),
      currency: row.currency,
      classrooms: row.classrooms,
      closedAt: row.closedAt.toISOString(),
    }));
  }
}
