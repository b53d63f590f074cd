import { Injectable } from '@nestjs/common';
import type { CreditAlerts } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, type Transaction, valuesOf } from '@classroom/persistence';
import { AccountEntity } from '../schema/account.entity.js';
import { sql } from '../schema/sql.js';

const COLUMNS = columnsOf(AccountEntity);

const find = sql('accounts.find', `SELECT ${COLUMNS} FROM accounts WHERE organization_id = $1`);
const lock = sql('accounts.lock', `SELECT ${COLUMNS} FROM accounts WHERE organization_id = $1 FOR UPDATE`);
const lockById = sql('accounts.lockById', `SELECT ${COLUMNS} FROM accounts WHERE account_id = $1 FOR UPDATE`);
const lockFree = sql(
  'accounts.lockFree',
  `SELECT ${COLUMNS} FROM accounts WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR UPDATE SKIP LOCKED`,
);
const findEnded = sql(
  'accounts.findEnded',
  'SELECT account_id AS "accountId" FROM accounts WHERE account_id = ANY($1::uuid[]) AND cycle_end <= $2 ORDER BY account_id',
);
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

const saveBalances = sql(
  'accounts.saveBalances',
  `UPDATE accounts a SET balance = t.balance, version = t.version, cycle_credits = t.cycle_credits, is_low = t.is_low
     FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::boolean[]) AS t(organization_id, balance, version, cycle_credits, is_low)
    WHERE a.organization_id = t.organization_id`,
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

  /** Locks those accounts that no other transaction has locked. */
  async lockFree(tx: Transaction, accountIds: readonly string[]): Promise<AccountEntity[]> {
    return tx.run(lockFree, accountIds);
  }

  /** @returns those of the accounts whose open cycle has ended */
  async findEnded(accountIds: readonly string[], now: Date): Promise<string[]> {
    return (await this.database.run(findEnded, accountIds, now)).map(({ accountId }) => accountId);
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

  /** Stores what the entries posted in `tx` changed. The accounts must be locked by `tx`. */
  async saveBalances(tx: Transaction, accounts: readonly AccountEntity[]): Promise<void> {
    await tx.run(saveBalances, ...arraysOf(accounts, 'organizationId', 'balance', 'version', 'cycleCredits', 'isLow'));
  }

  /** Waits for transactions that post entries: they see the thresholds of before. */
  async saveAlerts(organizationId: string, alerts: CreditAlerts): Promise<void> {
    await this.database.manager.update(AccountEntity, { organizationId }, { alerts });
  }

  async saveCycle(tx: Transaction, { organizationId, cycleStart, cycleEnd, cycleCredits }: AccountEntity): Promise<void> {
    await tx.manager.update(AccountEntity, { organizationId }, { cycleStart, cycleEnd, cycleCredits });
  }
}
