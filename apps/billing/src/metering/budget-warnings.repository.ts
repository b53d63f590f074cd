import { Injectable } from '@nestjs/common';
import { BUDGET_PERCENTS } from '@classroom/contracts';
import type { RowOf, Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

/** The share of 100 percent is published once for each budget that asks for more than a warning: the room service then does what it says. */
const add = sql(
  'budget-warnings.add',
  `WITH added AS (
     INSERT INTO budget_warnings AS known (organization_id, sid, percent, reached_at, budget_version)
     SELECT m.organization_id, m.sid, percent.percent, $2, m.budget_version
       FROM room_meters m CROSS JOIN unnest($3::int2[]) AS percent
      WHERE m.sid = ANY($1) AND m.charged_credits * 100 >= (m.budget->>'maxCredits')::int8 * percent.percent
        AND NOT EXISTS (SELECT FROM budget_warnings w WHERE w.organization_id = m.organization_id AND w.sid = m.sid AND w.percent = percent.percent
                          AND (w.percent < 100 OR w.budget_version >= m.budget_version OR m.budget->>'onReached' = 'warn'))
     ON CONFLICT (organization_id, sid, percent) DO UPDATE SET budget_version = excluded.budget_version, is_repeated = true
      WHERE known.percent = 100 AND known.budget_version < excluded.budget_version
     RETURNING sid, percent, budget_version, is_repeated)
   SELECT m.organization_id AS "organizationId", m.sid, m.room_id AS "roomId", percent, m.charged_credits AS credits, m.budget,
          added.budget_version AS "budgetVersion", is_repeated AS "isRepeated"
     FROM added JOIN room_meters m USING (sid) ORDER BY sid, percent`,
);

const forgetNotReached = sql(
  'budget-warnings.forgetNotReached',
  `DELETE FROM budget_warnings w USING room_meters m
    WHERE m.sid = ANY($1::text[]) AND w.organization_id = m.organization_id AND w.sid = m.sid AND w.budget_version < m.budget_version
      AND (m.budget IS NULL OR m.charged_credits * 100 < (m.budget->>'maxCredits')::int8 * w.percent)`,
);

export type BudgetWarning = RowOf<typeof add>;

@Injectable()
export class BudgetWarningsRepository {
  /** Adds the shares of their budgets that the rooms have reached. The meters must be locked by `tx`. @returns those that are new */
  add(tx: Transaction, sids: readonly string[], now: Date): Promise<BudgetWarning[]> {
    return tx.run(add, sids, now, BUDGET_PERCENTS);
  }

  /** Forgets the shares that the charges have not reached by the rooms' changed budgets. The meters must be locked by `tx`. */
  async forgetNotReached(tx: Transaction, sids: readonly string[]): Promise<void> {
    await tx.run(forgetNotReached, sids);
  }
}
