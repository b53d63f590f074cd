import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { TAKEN } from '../ledger/entry-sides.js';
import { sql } from '../schema/sql.js';

const SUMS = `sum(${TAKEN})::float8 AS "credits!", sum(${TAKEN} * credit_rate) AS "amount!"`;
const OF_CYCLE = 'organization_id = $1 AND cycle_start = $2';

const sumKinds = sql('statement-parts.sumKinds', `SELECT kind, ${SUMS} FROM ledger_entries WHERE ${OF_CYCLE} GROUP BY kind ORDER BY kind`);

const sumClasses = sql(
  'statement-parts.sumClasses',
  `SELECT m.room_id AS "roomId", m.title, m.started_at AS "startedAt", c.credits AS "credits!", c.amount AS "amount!",
          count(*) OVER () AS "allClasses!", (sum(c.credits) OVER ())::float8 AS "allCredits!", sum(c.amount) OVER () AS "allAmount!"
     FROM (SELECT sid, ${SUMS.replaceAll('!', '')} FROM ledger_entries WHERE ${OF_CYCLE} AND sid IS NOT NULL GROUP BY sid) c
     JOIN room_meters m ON m.organization_id = $1 AND m.sid = c.sid
    ORDER BY m.started_at, c.sid LIMIT $3`,
);

export type KindSum = RowOf<typeof sumKinds>;
export type ClassSum = RowOf<typeof sumClasses>;

/** What a closed cycle consists of. Its entries never change. */
@Injectable()
export class StatementPartsRepository {
  constructor(private readonly database: Database) {}

  sumKinds(organizationId: string, cycleStart: Date): Promise<KindSum[]> {
    return this.database.run(sumKinds, organizationId, cycleStart);
  }

  /** The first classes of the cycle, each with the sums over all classes of the cycle. */
  sumClasses(organizationId: string, cycleStart: Date, limit: number): Promise<ClassSum[]> {
    return this.database.run(sumClasses, organizationId, cycleStart, limit);
  }
}
