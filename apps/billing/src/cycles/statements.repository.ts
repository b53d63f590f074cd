import { Injectable } from '@nestjs/common';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { StatementEntity } from '../schema/statement.entity.js';
import { sql } from '../schema/sql.js';
import type { CycleSum } from './cycle-sums.repository.js';

const MAX_LISTED = 200;

const insert = sql(
  'statements.insert',
  `INSERT INTO statements (statement_id, organization_id, cycle_start, cycle_end, credits, amount, currency, classrooms, closed_at)
   SELECT :statementId, :organizationId, :cycleStart, :cycleEnd, :credits, :amount, :currency, count(*), :closedAt
     FROM room_meters WHERE organization_id = :organizationId AND started_at >= :cycleStart AND started_at < :cycleEnd
   RETURNING credits, amount`,
);

const findLastEnd = sql('statements.findLastEnd', 'SELECT max(cycle_end) AS "end" FROM statements WHERE organization_id = $1');

/** A statement to insert. The insert counts the classes that began in its cycle. */
type NewStatement = CycleSum &
  Pick<StatementEntity, 'statementId' | 'organizationId' | 'cycleStart' | 'cycleEnd' | 'currency' | 'closedAt'>;

@Injectable()
export class StatementsRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, statement: NewStatement): Promise<RowOf<typeof insert> | undefined> {
    return tx.first(insert, statement);
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
