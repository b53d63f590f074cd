import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Transaction, valuesOf } from '@classroom/persistence';
import { AccountEntity } from '../schema/account.entity.js';
import { sql } from '../schema/sql.js';

const COLUMNS = columnsOf(AccountEntity);

const find = sql('accounts.find', `SELECT ${COLUMNS} FROM accounts WHERE organization_id = $1`);
const lock = sql('accounts.lock', `SELECT ${COLUMNS} FROM accounts WHERE organization_id = $1 FOR UPDATE`);
const lockById = sql('accounts.lockById', `SELECT ${COLUMNS} FROM accounts WHERE account_id = $1 FOR UPDATE`);
const lockOrganization = sql('accounts.lockOrganization', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

const savePlan = sql(
  'accounts.savePlan',
  `INSERT INTO accounts (organization_id, account_id, billing_type, credit_rate, currency, billing_frequency, cycle_anchor,
                         cycle_start, cycle_end, cycle_credits, is_low, plan_updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   ON CONFLICT (organization_id) DO UPDATE
      SET billing_type = $3, credit_rate = $4, currency = $5, billing_frequency = $6, cycle_anchor = $7, cycle_start = $8,
          cycle_end = $9, cycle_credits = $10, is_low = $11, plan_updated_at = $12`,
);

const saveBalance = sql(
  'accounts.saveBalance',
  'UPDATE accounts SET balance = $2, version = $3, cycle_credits = $4, is_low = $5 WHERE organization_id = $1',
);

@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<AccountEntity | undefined> {
    return this.database.first(find, organizationId);
  }

  findById(accountId: string): Promise<AccountEntity | null> {
    return this.database.manager.findOneBy(AccountEntity, { accountId });
  }

  async lock(tx: Transaction, organizationId: string): Promise<AccountEntity | undefined> {
    return tx.first(lock, organizationId);
  }

  async lockById(tx: Transaction, accountId: string): Promise<AccountEntity | undefined> {
    return tx.first(lockById, accountId);
  }

  /** Locks the organization until `tx` ends, whether or not it has an account yet. */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<void> {
    await tx.run(lockOrganization, organizationId);
  }

  /** Writes the plan; a new account begins with a balance of 0. */
  async savePlan(tx: Transaction, account: AccountEntity): Promise<void> {
    const plan = valuesOf(
      account,
      'organizationId',
      'accountId',
      'billingType',
      'creditRate',
      'currency',
      'billingFrequency',
      'cycleAnchor',
    );
    await tx.run(savePlan, ...plan, ...valuesOf(account, 'cycleStart', 'cycleEnd', 'cycleCredits', 'isLow', 'planUpdatedAt'));
  }

  /** Stores what the entries posted in `tx` changed. The account must be locked by `tx`. */
  async saveBalance(tx: Transaction, { organizationId, balance, version, cycleCredits, isLow }: AccountEntity): Promise<void> {
    await tx.run(saveBalance, organizationId, balance, version, cycleCredits, isLow);
  }

  async saveCycle(tx: Transaction, { organizationId, cycleStart, cycleEnd, cycleCredits }: AccountEntity): Promise<void> {
    await tx.manager.update(AccountEntity, { organizationId }, { cycleStart, cycleEnd, cycleCredits });
  }
}
