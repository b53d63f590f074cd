import { Injectable } from '@nestjs/common';
import { listStatements, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { StatementsRepository } from './statements.repository.js';

@Injectable()
export class ListStatements {
  constructor(private readonly statements: StatementsRepository) {}

  @Handles(listStatements)
  async execute({ organizationId }: RpcInput<typeof listStatements>) {
    const rows = await this.statements.ofOrganization(organizationId);
    return rows.map((row) => ({
      ...row,
      amount: Number(row.amount),
      cycleStart: row.cycleStart.toISOString(),
      cycleEnd: row.cycleEnd.toISOString(),
      closedAt: row.closedAt.toISOString(),
    }));
  }
}
