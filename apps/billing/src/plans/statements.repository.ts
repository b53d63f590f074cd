import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { StatementEntity } from '../schema/statement.entity.js';
import { sql } from '../schema/sql.js';

const MAX_LISTED = 200;

const findLastEnd = sql('statements.findLastEnd', 'SELECT max(cycle_end) AS "end" FROM statements WHERE organization_id = $1');

@Injectable()
export class StatementsRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, statement: StatementEntity): Promise<void> {
    await tx.manager.insert(StatementEntity, statement);
  }

  /** The end of the last closed cycle. A new cycle must not begin earlier. */
  async findLastEnd(tx: Transaction, organizationId: string): Promise<Date | undefined> {
    const row = await tx.first(findLastEnd, organizationId);
    return row?.end ?? undefined;
  }

  find(organizationId: string, statementId: string): Promise<StatementEntity | null> {
    return this.database.manager.findOneBy(StatementEntity, { organizationId, statementId });
  }

  /** Newest first, at most 200. */
  listByOrganization(organizationId: string): Promise<StatementEntity[]> {
    return this.database.manager.find(StatementEntity, { where: { organizationId }, order: { cycleStart: 'DESC' }, take: MAX_LISTED });
  }
}
