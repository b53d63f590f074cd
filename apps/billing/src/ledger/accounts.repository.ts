import { Injectable } from '@nestjs/common';
import type { CreditAlerts } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import { AccountEntity } from '../schema/account.entity.js';
import { RoomMeterEntity } from '../schema/room-meter.entity.js';
import { sql } from '../schema/sql.js';

/** Milliseconds. Facts of a cycle may still arrive after its end, so it closes this much later at the earliest. */
export const CLOSE_DELAY_MS = 45_000;
/** Milliseconds over which the accounts' closing times are spread, because most monthly cycles end at the same moment. Must be a power of two. */
const CLOSE_SPREAD_MS = 16_384;
/** Milliseconds after a cycle's end by which every account's cycle is due to be closed. */
export const MAX_CLOSE_DELAY_MS = CLOSE_DELAY_MS + CLOSE_SPREAD_MS;

/** When an account's open cycle closes, for a row of `accounts`. */
export const CLOSES_AT = `cycle_end + (${CLOSE_DELAY_MS} + (('x' || left(account_id::text, 4))::bit(16)::int & ${CLOSE_SPREAD_MS - 1})) * interval '1 millisecond'`;

const COLUMNS = columnsOf(AccountEntity);

const find = sql('accounts.find', `SELECT ${COLUMNS} FROM accounts WHERE organization_id = $1`);
const lock = sql('accounts.lock', `SELECT ${COLUMNS} FROM accounts WHERE organization_id = $1 FOR UPDATE`);
const lockById = sql('accounts.lockById', `SELECT ${COLUMNS} FROM accounts WHERE account_id = $1 FOR UPDATE`);
const lockBalance = sql('accounts.lockBalance', `SELECT ${COLUMNS} FROM accounts WHERE organization_id = $1 FOR NO KEY UPDATE`);
const lockBalances = sql(
  'accounts.lockBalances',
  `SELECT ${COLUMNS} FROM accounts WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR NO KEY UPDATE`,
);
/**
 * The setting makes the transaction plan for any time. Postgres would otherwise plan for the given one, and while statistics say that no meter is
 * due by then, it would read the due meters of all organizations once for each organization.
 */
const lockPlans = sql(
  'accounts.lockPlans',
  `SELECT account_id AS "accountId", organization_id AS "organizationId", cycle_end AS "cycleEnd", set_config('plan_cache_mode', 'force_generic_plan', true)
     FROM accounts WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR KEY SHARE SKIP LOCKED`,
);
const findClosing = sql(
  'accounts.findClosing',
  `SELECT account_id AS "accountId" FROM accounts WHERE account_id = ANY($1::uuid[]) AND ${CLOSES_AT} <= $2 ORDER BY account_id`,
);
const findOpenCycle = sql(
  'accounts.findOpenCycle',
  `SELECT cycle_end AS "cycleEnd!", ${CLOSES_AT} AS "closesAt!" FROM accounts WHERE account_id = $1 AND cycle_end IS NOT NULL`,
);
const lockOrganization = sql('accounts.lockOrganization', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

const savePlan = sql(
  'accounts.savePlan',
  `INSERT INTO accounts (organization_id, account_id, billing_type, credit_rate, currency, billing_frequency, cycle_anchor,
                         cycle_start, cycle_end, cycle_credits, is_low, plan_updated_at)
   VALUES (:organizationId, :accountId, :billingType, :creditRate, :currency, :billingFrequency, :cycleAnchor, :cycleStart, :cycleEnd,
           :cycleCredits, :isLow, :planUpdatedAt)
   ON CONFLICT (organization_id) DO UPDATE
      SET billing_type = :billingType, credit_rate = :creditRate, currency = :currency, billing_frequency = :billingFrequency,
          cycle_anchor = :cycleAnchor, cycle_start = :cycleStart, cycle_end = :cycleEnd, cycle_credits = :cycleCredits,
          is_low = :isLow, plan_updated_at = :planUpdatedAt`,
);

const saveBalances = sql(
  'accounts.saveBalances',
  `UPDATE accounts a SET balance = t.balance, version = t.version, cycle_credits = t.cycle_credits, is_low = t.is_low
     FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::boolean[]) AS t(organization_id, balance, version, cycle_credits, is_low)
    WHERE a.organization_id = t.organization_id`,
);

export type OpenCycle = RowOf<typeof findOpenCycle>;

@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<AccountEntity | undefined> {
    return this.database.first(find, organizationId);
  }

  /** To change the plan or the cycle. Waits for roll-ups. */
  async lock(tx: Transaction, organizationId: string): Promise<AccountEntity | undefined> {
    return tx.first(lock, organizationId);
  }

  /** As `lock`. */
  async lockById(tx: Transaction, accountId: string): Promise<AccountEntity | undefined> {
    return tx.first(lockById, accountId);
  }

  /**
   * Locks plan and cycle of the accounts, and skips those whose plan or cycle another transaction changes. Several transactions may hold this lock: to
   * post entries, they lock the balances for their last statements.
   */
  async lockPlans(tx: Transaction, accountIds: readonly string[]): Promise<RowOf<typeof lockPlans>[]> {
    return tx.run(lockPlans, accountIds);
  }

  /** To post entries. Locks plan, cycle and balance. */
  async lockBalance(tx: Transaction, organizationId: string): Promise<AccountEntity | undefined> {
    return tx.first(lockBalance, organizationId);
  }

  /** As `lockBalance`. */
  async lockBalances(tx: Transaction, accountIds: readonly string[]): Promise<AccountEntity[]> {
    return tx.run(lockBalances, accountIds);
  }

  /** @returns those of the accounts whose open cycle is due to be closed */
  async findClosing(accountIds: readonly string[], now: Date): Promise<string[]> {
    return (await this.database.run(findClosing, accountIds, now)).map(({ accountId }) => accountId);
  }

  async findOpenCycle(accountId: string): Promise<OpenCycle | undefined> {
    return this.database.first(findOpenCycle, accountId);
  }

  /** Locks the organization until `tx` ends, whether or not it has an account yet. */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<void> {
    await tx.run(lockOrganization, organizationId);
  }

  /** Writes the plan; a new account begins with a balance of 0. */
  async savePlan(tx: Transaction, account: AccountEntity): Promise<void> {
    await tx.run(savePlan, account);
  }

  /** Stores what the entries posted in `tx` changed. The balances must be locked by `tx`. */
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

@Injectable()
export class ClassroomsRepository {
  constructor(private readonly database: Database) {}

  /** Classes that began in the account's open cycle; 0 for a prepaid account, which has no cycle. */
  async countInOpenCycle({ organizationId, cycleStart, cycleEnd }: AccountEntity): Promise<number> {
    return cycleStart && cycleEnd ? this.count(this.database, organizationId, cycleStart, cycleEnd) : 0;
  }

  /** Classes that began in a cycle: those of its statement. */
  count(within: Pick<Transaction, 'manager'>, organizationId: string, start: Date, end: Date): Promise<number> {
    return within.manager.countBy(RoomMeterEntity, { organizationId, startedAt: And(MoreThanOrEqual(start), LessThan(end)) });
  }
}
