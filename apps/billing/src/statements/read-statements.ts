import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, listStatements, type EntryKind, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Decimal } from 'decimal.js';
import { StatementPartsRepository, StatementsRepository, type ClassSum } from '../plans/statements.repository.js';
import type { StatementEntity } from '../schema/statement.entity.js';

/** Classes of a statement that have a line of their own. */
const MAX_CLASSES = 400;

type Statement = RpcOutput<typeof listStatements>[number];

interface Sum {
  credits: number;
  amount: number;
}

/** A statement with what it consists of: the entries of its cycle by kind, and the charges of its classes. */
export interface StatementDetails extends Statement {
  kinds: (Sum & { kind: EntryKind })[];
  /** Oldest first. */
  classes: (Sum & { roomId: string; title: string; startedAt: string | null })[];
  /** The sum of the classes that are not in `classes`. */
  furtherClasses: Sum & { count: number };
}

@Injectable()
export class GetStatement {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly parts: StatementPartsRepository,
  ) {}

  /** @throws AppError NOT_FOUND */
  async execute(organizationId: string, statementId: string): Promise<StatementDetails> {
    const row = await this.statements.find(organizationId, statementId);
    if (!row) throw new AppError('NOT_FOUND', { message: 'There is no such statement' });
    const [kinds, classes] = await Promise.all([
      this.parts.sumKinds(organizationId, row.cycleStart),
      this.parts.sumClasses(organizationId, row.cycleStart, MAX_CLASSES),
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

const toStatement = (row: StatementEntity): Statement => ({
  statementId: row.statementId,
  cycleStart: row.cycleStart.toISOString(),
  cycleEnd: row.cycleEnd.toISOString(),
  creditsConsumed: row.credits,
  amount: Number(row.amount),
  currency: row.currency,
  classrooms: row.classrooms,
  closedAt: row.closedAt.toISOString(),
});
