import { Injectable } from '@nestjs/common';
import {
  AppError,
  billingRpc,
  MAX_STATEMENT_CLASSES,
  getOrganization,
  listStatements,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Decimal } from 'decimal.js';
import type { StatementEntity } from '../schema/statement.entity.js';
import { StatementPartsRepository, StatementsRepository, type ClassSum } from './statements.repository.js';

/** A statement with what it consists of. */
@Injectable()
export class GetStatement {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly parts: StatementPartsRepository,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(billingRpc.statement)
  async execute({ organizationId, statementId }: RpcInput<typeof billingRpc.statement>): Promise<RpcOutput<typeof billingRpc.statement>> {
    const row = await this.statements.find(organizationId, statementId);
    if (!row) throw new AppError('NOT_FOUND', { message: 'There is no such statement' });
    const [kinds, classes] = await Promise.all([
      this.parts.sumKinds(organizationId, row.cycleStart),
      this.parts.sumClasses(organizationId, row.cycleStart, MAX_STATEMENT_CLASSES),
    ]);
    return {
      ...toStatement(row),
      kinds: kinds.map(({ amount, ...sum }) => ({ ...sum, amount: Number(amount) })),
      classes: classes.map(({ roomId, title, startedAt, credits, amount }) => ({
        roomId,
        title,
        startedAt: startedAt?.toISOString() ?? null,
        credits,
        amount: Number(amount),
      })),
      furtherClasses: furtherOf(classes),
    };
  }
}

/** The sum of the classes that are not among those listed. */
function furtherOf(listed: readonly ClassSum[]) {
  const { allClasses = 0, allCredits = 0, allAmount = '0' } = listed[0] ?? {};
  return {
    count: allClasses - listed.length,
    credits: listed.reduce((rest, { credits }) => rest - credits, allCredits),
    amount: listed.reduce((rest, { amount }) => rest.minus(amount), new Decimal(allAmount)).toNumber(),
  };
}

@Injectable()
export class ListStatements {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND, SERVICE_UNAVAILABLE */
  @Handles(listStatements)
  async execute({ organizationId }: RpcInput<typeof listStatements>) {
    const rows = await this.statements.listByOrganization(organizationId);
    if (rows.length === 0) await this.rpc.call(getOrganization, { organizationId });
    return rows.map(toStatement);
  }
}

const toStatement = (row: StatementEntity): RpcOutput<typeof listStatements>[number] => ({
  statementId: row.statementId,
  cycleStart: row.cycleStart.toISOString(),
  cycleEnd: row.cycleEnd.toISOString(),
  creditsConsumed: row.credits,
  amount: Number(row.amount),
  currency: row.currency,
  classrooms: row.classrooms,
  closedAt: row.closedAt.toISOString(),
});
