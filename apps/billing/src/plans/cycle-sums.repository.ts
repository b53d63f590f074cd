import { Injectable } from '@nestjs/common';
import type { RowOf, Transaction } from '@classroom/persistence';
import { TAKEN } from '../ledger/entry-sides.js';
import { sql } from '../schema/sql.js';

/** Entries that one transaction adds up. It limits how long the account is locked, however many entries the cycle has. */
const BATCH = 20_000;

/** A cycle's first sum contains what was posted to it before the cycle before was closed. */
// With coalesce in the condition on `position`, Postgres would read all entries under row-level security: it does not count as leakproof.
const advance = sql(
  'cycle-sums.advance',
  `INSERT INTO cycle_sums AS c (organization_id, cycle_start, position, credits, amount)
   SELECT $1, $2, coalesce(max(newer.position), known.position, 0),
          coalesce(known.credits, 0) + coalesce(sum(used), 0), coalesce(known.amount, 0) + coalesce(sum(used * credit_rate), 0)
     FROM (SELECT 1) one
     LEFT JOIN LATERAL (SELECT s.position, CASE WHEN s.cycle_start = $2 THEN s.credits ELSE early.credits END AS credits,
                               CASE WHEN s.cycle_start = $2 THEN s.amount ELSE early.amount END AS amount
                          FROM cycle_sums s
                          LEFT JOIN LATERAL (SELECT sum(${TAKEN})::int8 AS credits, sum(${TAKEN} * credit_rate) AS amount FROM ledger_entries e
                                              WHERE s.cycle_start <> $2 AND e.organization_id = $1 AND e.cycle_start = $2
                                                AND e.position <= s.position) early ON true
                         WHERE s.organization_id = $1) known ON true
     LEFT JOIN LATERAL (SELECT position, credit_rate,
                               CASE WHEN cycle_start IS DISTINCT FROM $2 THEN 0 ELSE ${TAKEN} END AS used
                          FROM ledger_entries WHERE organization_id = $1 AND position > CASE WHEN known.position IS NULL THEN 0 ELSE known.position END
                         ORDER BY position LIMIT $3) newer ON true
    GROUP BY known.position, known.credits, known.amount
   ON CONFLICT (organization_id) DO UPDATE
      SET cycle_start = excluded.cycle_start, position = excluded.position, credits = excluded.credits, amount = excluded.amount
   RETURNING credits AS "credits!", amount AS "amount!",
             (SELECT count(*) FROM (SELECT 1 FROM ledger_entries l WHERE l.organization_id = $1 AND l.position > c.position LIMIT 1) more) AS "entries!"`,
);

const isBegun = sql('cycle-sums.isBegun', 'SELECT 1 FROM ledger_entries WHERE organization_id = $1 AND cycle_start = $2 LIMIT 1');

export type CycleSum = Pick<RowOf<typeof advance>, 'credits' | 'amount'>;

/**
 * Stores the sum of a cycle's entries with the position of the last one, so that each transaction reads a bounded part of the ledger.
 * Entries are written while the balance is locked, so the positions of a cycle's entries follow those of the cycle before, except of entries that are
 * posted between the end of that cycle and its close.
 */
@Injectable()
export class CycleSumsRepository {
  /** Adds a batch of newer entries to the sum. Undefined if there may be more. The account must be locked by `tx`. */
  async advance(tx: Transaction, organizationId: string, cycleStart: Date, limit = BATCH): Promise<CycleSum | undefined> {
    const sum = await tx.first(advance, organizationId, cycleStart, limit);
    return sum?.entries === 0 ? sum : undefined;
  }

  /** Whether entries were posted to the cycle, which may not be open yet. */
  async isBegun(tx: Transaction, organizationId: string, cycleStart: Date): Promise<boolean> {
    return (await tx.run(isBegun, organizationId, cycleStart)).length > 0;
  }
}
