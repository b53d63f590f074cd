import type { Database } from '@classroom/persistence/sql';
import { sql } from './schema/sql.js';

const find = sql(
  'creditStatus.find',
  `SELECT is_overconsumed AS "isOverconsumed", is_exhausted AS "isExhausted" FROM credit_status WHERE organization_id = $1`,
);
const apply = sql(
  'creditStatus.apply',
  `INSERT INTO credit_status (organization_id, version, is_overconsumed, is_exhausted) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id) DO UPDATE SET version = $2, is_overconsumed = $3, is_exhausted = $4 WHERE credit_status.version < $2`,
);

export interface CreditStatus {
  isOverconsumed: boolean;
  isExhausted: boolean;
}

/** The credit status in billing's latest fact about an organization. */
export async function findCreditStatus(database: Database, organizationId: string): Promise<CreditStatus | undefined> {
  return database.first(find, organizationId);
}

/** The account's version makes order and repetition harmless. */
export async function applyCreditStatus(database: Database, organizationId: string, version: number, status: CreditStatus): Promise<void> {
  await database.run(apply, organizationId, version, status.isOverconsumed, status.isExhausted);
}
