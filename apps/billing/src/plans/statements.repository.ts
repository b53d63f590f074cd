import { Injectable } from '@nestjs/common';
import { MAX_STATEMENTS } from '@classroom/contracts';
import { Database, type Transaction, type RowOf } from '@classroom/persistence';
import { TAKEN } from '../ledger/ledger-entry.js';
import { PlanEntity } from '../schema/plan.entity.js';
import { sql } from '../schema/sql.js';
import { StatementEntity } from '../schema/statement.entity.js';

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

  /** Newest first, at most `MAX_STATEMENTS`. */
  listByOrganization(organizationId: string): Promise<StatementEntity[]> {
    return this.database.manager.find(StatementEntity, { where: { organizationId }, order: { cycleStart: 'DESC' }, take: MAX_STATEMENTS });
  }
}

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

type KindSum = RowOf<typeof sumKinds>;
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

const add = sql(
  'plans.add',
  `INSERT INTO plans (organization_id, updated_at, billing_type, opening_credits, credit_rate, currency, balance, is_opened)
   VALUES (:organizationId, :updatedAt, :billingType, :openingCredits, :creditRate, :currency, :balance, :isOpened) ON CONFLICT DO NOTHING`,
);

@Injectable()
export class PlansRepository {
  async add(tx: Transaction, plan: PlanEntity): Promise<void> {
    await tx.run(add, plan);
  }

  /** All known states of one organization's plan, oldest first: one per change. */
  list(tx: Transaction, organizationId: string): Promise<PlanEntity[]> {
    return tx.manager.find(PlanEntity, { where: { organizationId }, order: { updatedAt: 'ASC' } });
  }

  async markOpened(tx: Transaction, { organizationId, updatedAt }: PlanEntity): Promise<void> {
    await tx.manager.update(PlanEntity, { organizationId, updatedAt }, { isOpened: true });
  }
}
