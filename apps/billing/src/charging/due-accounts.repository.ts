import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { CLOSE_DELAY_MS, CLOSES_AT } from '../ledger/accounts.repository.js';
import { sql } from '../schema/sql.js';

const BATCH = 10_000;

/** `accountId` is null if the organization's plan is not known yet. */
const findDue = sql.planned(
  'due-accounts.findDue',
  `SELECT d.organization_id AS "organizationId!", a.account_id AS "accountId"
     FROM (SELECT DISTINCT organization_id FROM room_meters WHERE due_at <= $1
           UNION SELECT organization_id FROM accounts WHERE billing_type = 'POSTPAID' AND cycle_end <= $2 AND ${CLOSES_AT} <= $1) d
     LEFT JOIN accounts a USING (organization_id) LIMIT ${BATCH}`,
);

const findEarliestDue = sql.planned(
  'due-accounts.findEarliestDue',
  'SELECT min(due_at) AS "dueAt" FROM room_meters WHERE due_at IS NOT NULL',
);

export type DueAccount = RowOf<typeof findDue>;

/** Finds accounts with due meters or cycles. */
@Injectable()
export class DueAccountsRepository {
  constructor(private readonly database: Database) {}

  findDue(now: Date): Promise<DueAccount[]> {
    return this.database.run(findDue, now, new Date(now.getTime() - CLOSE_DELAY_MS));
  }

  /** When the meter became due that has been due for longest. */
  async findEarliestDue(): Promise<Date | undefined> {
    const row = await this.database.first(findEarliestDue);
    return row?.dueAt ?? undefined;
  }
}
