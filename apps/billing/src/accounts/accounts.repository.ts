import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { ACCOUNT_COLUMNS, type AccountRow } from './account.row.js';

@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<AccountRow | undefined> {
    const [row] = await this.database.prepared<AccountRow & Record<string, unknown>>(
      'account-by-organization',
      `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE organization_id = $1`,
      [organizationId],
    );
    return row;
  }

  async findById(accountId: string): Promise<AccountRow | undefined> {
    const [row] = await this.database.query<AccountRow & Record<string, unknown>>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE account_id = $1`, [accountId]);
    return row;
  }

  async lock(tx: Transaction, organizationId: string): Promise<AccountRow | undefined> {
    const [row] = await tx.query<AccountRow & Record<string, unknown>>(
      `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE organization_id = $1 FOR UPDATE`,
      [organizationId],
    );
    return row;
  }

  async lockById(tx: Transaction, accountId: string): Promise<AccountRow | undefined> {
    const [row] = await tx.query<AccountRow & Record<string, unknown>>(
      `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE account_id = $1 FOR UPDATE`,
      [accountId],
    );
    return row;
  }

  /** Writes the plan; a new account begins at zero. */
  async savePlan(tx: Transaction, account: AccountRow): Promise<void> {
    await tx.query(
      `INSERT INTO accounts (organization_id, account_id, billing_type, credit_rate, currency, billing_frequency, cycle_anchor,
                             cycle_start, cycle_end, cycle_credits, is_low, plan_updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (organization_id) DO UPDATE
          SET billing_type = $3, credit_rate = $4, currency = $5, billing_frequency = $6, cycle_anchor = $7, cycle_start = $8,
              cycle_end = $9, cycle_credits = $10, is_low = $11, plan_updated_at = $12`,
      [
        account.organizationId,
        account.accountId,
        account.billingType,
        account.creditRate,
        account.currency,
        account.billingFrequency,
        account.cycleAnchor,
        account.cycleStart,
        account.cycleEnd,
        account.cycleCredits,
        account.isLow,
        account.planUpdatedAt,
      ],
    );
  }

  async saveCycle(tx: Transaction, account: AccountRow): Promise<void> {
    await tx.query('UPDATE accounts SET cycle_start = $2, cycle_end = $3, cycle_credits = $4 WHERE organization_id = $1', [
      account.organizationId,
      account.cycleStart,
      account.cycleEnd,
      account.cycleCredits,
    ]);
  }
}
