import { Injectable } from '@nestjs/common';
import { BUDGET_PERCENTS } from '@classroom/contracts';
import type { RowOf, Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const add = sql(
  'budget-warnings.add',
  `WITH added AS (
     INSERT INTO budget_warnings (organization_id, sid, percent, reached_at)
     SELECT m.organization_id, m.sid, percent, $2
       FROM room_meters m CROSS JOIN unnest($3::int2[]) AS percent
      WHERE m.sid = ANY($1) AND m.charged_credits * 100 >= (m.budget->>'maxCredits')::int8 * percent
     ON CONFLICT DO NOTHING RETURNING sid, percent)
   SELECT m.organization_id AS "organizationId", m.sid, m.room_id AS "roomId", percent, m.charged_credits AS credits, m.budget
     FROM added JOIN room_meters m USING (sid) ORDER BY sid, percent`,
);

export type BudgetWarning = RowOf<typeof add>;

@Injectable()
export class BudgetWarningsRepository {
  /** Adds the shares of their budgets that the rooms have reached. The meters must be locked by `tx`. @returns those that are new */
  add(tx: Transaction, sids: readonly string[], now: Date): Promise<BudgetWarning[]> {
    return tx.run(add, sids, now, BUDGET_PERCENTS);
  }
}
