import { Injectable } from '@nestjs/common';
import {
  CONSUMERS,
  creditRollUp,
  roomBudgetReached,
  type EventData,
  type EventEnvelope,
  type JobData,
  type usageRecorded,
} from '@classroom/contracts';
import { Consumes, DueWorks, fact, Outbox, type AcceptOnce, type DueWork } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint, logger, InBackground, inParallel } from '@classroom/platform';
import { AccountsRepository } from '../ledger/accounts.repository.js';
import { PostEntries, termsAt } from '../ledger/post-entries.js';
import { AiUsagesRepository, AiMetersRepository } from '../metering/ai-usage.repository.js';
import { ChargeMeters } from '../metering/charge-meters.js';
import { BudgetWarningsRepository, DueMetersRepository, METERS_PER_TRANSACTION } from '../metering/due-meters.repository.js';
import { EnsureAccount } from '../plans/apply-plan.js';
import { CloseCycles } from '../plans/close-cycles.js';
import { DueAccountsRepository, type DueAccount } from './catch-up.repository.js';

/** Publishes that rooms have reached 50, 80 or 100 percent of their budgets, each once, in the transaction that charges them. */
@Injectable()
export class PublishReachedBudgets {
  constructor(
    private readonly warnings: BudgetWarningsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** `tx` must hold the locks of the meters. */
  async execute(tx: Transaction, sids: readonly string[]): Promise<void> {
    if (sids.length === 0) return;
    const reached = await this.warnings.add(tx, sids, this.clock.now());
    const facts = reached.flatMap(({ budget, ...room }) => (budget ? [fact(roomBudgetReached, room.sid, { ...room, budget })] : []));
    await this.outbox.addAll(tx, facts);
  }
}

/** It limits how many accounts a transaction locks. */
const ACCOUNTS_PER_TRANSACTION = 200;
/** Transactions that charge one large organization at the same time. Only their inserts into the ledger wait for each other. */
const LANES = 2;
/** Milliseconds after which all of these transactions have ended, so that a change of the plan, which waits for them, takes its turn. */
const TURN_MS = 1_000;

/** Charges everything that is due for some organizations: participants' minutes become credits. Safe to repeat. */
@Injectable()
export class RollUp {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly dueMeters: DueMetersRepository,
    private readonly chargeMeters: ChargeMeters,
    private readonly publishReachedBudgets: PublishReachedBudgets,
    private readonly postEntries: PostEntries,
    private readonly closeCycles: CloseCycles,
    private readonly clock: Clock,
  ) {}

  /**
   * An organization that fails does not affect the others.
   * @throws the failure of one of them
   */
  async execute(accountIds: readonly string[]): Promise<void> {
    const failures: unknown[] = [];
    const isolated = (accountId: string, work: () => Promise<void>) =>
      work().catch((error: unknown) => {
        logger.error({ err: error, accountId }, 'organization not charged; will retry');
        failures.push(error);
      });
    for (const accountId of await this.accounts.findClosing(accountIds, this.clock.now()))
      await isolated(accountId, () => this.closeCycles.execute(accountId));
    // Also if a cycle could not be closed: usage up to its end is charged anyway.
    for (let from = 0; from < accountIds.length; from += ACCOUNTS_PER_TRANSACTION) {
      const chunk = accountIds.slice(from, from + ACCOUNTS_PER_TRANSACTION);
      if (chunk.length > 1 && (await this.isChargedTogether(chunk))) continue;
      for (const accountId of chunk) await isolated(accountId, () => this.charge([accountId]));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async isChargedTogether(accountIds: readonly string[]): Promise<boolean> {
    try {
      await this.charge(accountIds);
      return true;
    } catch (error) {
      logger.warn({ err: error, accounts: accountIds.length }, 'organizations not charged together; charging each alone');
      return false;
    }
  }

  /** The accounts share the transaction's meters equally; those with more due meters continue in the next one. */
  private async charge(accountIds: readonly string[]): Promise<void> {
    for (let remaining = accountIds; remaining.length > 0;) {
      const share = Math.floor(METERS_PER_TRANSACTION / remaining.length);
      const charged = await this.chargeBatch(remaining, share);
      remaining = [...charged].filter(([, meters]) => meters === share).map(([accountId]) => accountId);
      const [only] = remaining;
      if (only && remaining.length === 1) return this.chargeLarge(only);
    }
  }

  private async chargeLarge(accountId: string): Promise<void> {
    for (let isDone = false; !isDone;) {
      const turns = await Promise.allSettled(Array.from({ length: LANES }, () => this.chargeForTurn(accountId)));
      const failed = turns.find((turn) => turn.status === 'rejected');
      if (failed) throw failed.reason;
      isDone = turns.every((turn) => turn.status === 'fulfilled' && turn.value);
    }
  }

  /** @returns whether nothing is left for another turn */
  private async chargeForTurn(accountId: string): Promise<boolean> {
    for (const until = performance.now() + TURN_MS; performance.now() < until;) {
      const charged = await this.chargeBatch([accountId], METERS_PER_TRANSACTION);
      if (charged.get(accountId) !== METERS_PER_TRANSACTION) return true;
    }
    return false;
  }

  /** Charges at most `limit` meters of each account. @returns their number by account */
  private async chargeBatch(accountIds: readonly string[], limit: number): Promise<Map<string, number>> {
    await failpoint('billing.rollup.before-transaction');
    const charged = await this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const plans = (await this.accounts.lockPlans(tx, accountIds)).map(({ accountId, organizationId, cycleEnd }) => ({
        accountId,
        organizationId,
        // For a cycle that has ended and is not closed yet, usage is charged only up to its end.
        through: cycleEnd && cycleEnd <= now ? cycleEnd : null,
      }));
      const due = await this.dueMeters.lockDue(tx, plans, now, limit);
      if (due.length === 0) return new Map<string, number>();
      const entries = await this.chargeMeters.execute(tx, await this.dueMeters.read(tx, due));
      const budgeted = due.filter(({ hasBudget }) => hasBudget).map(({ sid }) => sid);
      await this.publishReachedBudgets.execute(tx, budgeted);
      // Last, because this makes another transaction that charges the same organization wait.
      const charged = plans.filter(({ organizationId }) => entries.has(organizationId)).map(({ accountId }) => accountId);
      const accounts = await this.accounts.lockBalances(tx, charged);
      await this.postEntries.executeAll(
        tx,
        accounts.map((account) => ({ account, entries: entries.get(account.organizationId) ?? [] })),
      );
      await failpoint('billing.rollup.before-commit');
      const counts = Map.groupBy(due, ({ organizationId }) => organizationId);
      return new Map(plans.map(({ accountId, organizationId }) => [accountId, counts.get(organizationId)?.length ?? 0]));
    });
    await failpoint('billing.rollup.after-commit');
    return charged;
  }
}

export type RollUpJob = JobData<typeof creditRollUp>;

/** Plans that are requested in parallel. */
const CONCURRENCY = 16;

/** Finds accounts with due meters or cycles, and has them charged in shards: a large organization occupies one slot, not the queue. */
@Injectable()
export class RollUpTrigger {
  @InBackground() readonly work: DueWork<RollUpJob>;

  constructor(
    dueWorks: DueWorks,
    private readonly accounts: DueAccountsRepository,
    private readonly ensureAccount: EnsureAccount,
    rollUp: RollUp,
  ) {
    this.work = dueWorks.declareQueued(creditRollUp, {
      find: (now) => this.findShards(now),
      run: ({ accountId, accountIds = [accountId] }) => rollUp.execute(accountIds),
      parallel: 4,
      dueSince: () => accounts.findEarliestDue(),
    });
  }

  private async findShards(now: Date): Promise<RollUpJob[]> {
    const accountIds: string[] = [];
    await inParallel(await this.accounts.findDue(now), CONCURRENCY, async (due) => {
      const accountId = await this.ensureAccountId(due);
      if (accountId !== undefined) accountIds.push(accountId);
    });
    return toShards(accountIds);
  }

  /** A failure for one organization does not affect the others. The next turn tries it again. */
  private async ensureAccountId({ organizationId, accountId }: DueAccount): Promise<string | undefined> {
    if (accountId !== null) return accountId;
    try {
      return (await this.ensureAccount.execute(organizationId)).accountId;
    } catch (error) {
      logger.error({ err: error }, 'account of an organization could not be loaded; will retry');
      return undefined;
    }
  }
}

/** Accounts that share a job. */
function toShards(accountIds: readonly string[]): RollUpJob[] {
  const shards = Map.groupBy(accountIds, (accountId) => creditRollUp.keyOf({ accountId }));
  return [...shards.values()].map((ids) => ({ accountId: ids[0] ?? '', accountIds: ids }));
}

type UsageRecorded = EventEnvelope<EventData<typeof usageRecorded>>;

/** Charges AI usage that is priced in credits. Fractions add up on a meter; the ledger receives whole credits. */
@Injectable()
export class ChargeAiUsage {
  constructor(
    private readonly database: Database,
    private readonly ensureAccount: EnsureAccount,
    private readonly accounts: AccountsRepository,
    private readonly meters: AiMetersRepository,
    private readonly usages: AiUsagesRepository,
    private readonly postEntries: PostEntries,
    private readonly closeCycles: CloseCycles,
  ) {}

  /** Writes inbox, meter, usage, entry and balance in one transaction. */
  @Consumes<UsageRecorded>(CONSUMERS.billingAiUsage, { concurrency: 4, keyOf: ({ subject }) => subject })
  async execute({ id, data }: UsageRecorded, acceptOnce: AcceptOnce): Promise<void> {
    const { organizationId, credits } = data;
    await this.closeCycles.closeOverdue(await this.ensureAccount.execute(organizationId));
    await this.database.transaction(async (tx) => {
      if (!(await acceptOnce(tx, id))) return;
      const account = await this.accounts.lockBalance(tx, organizationId);
      if (!account) throw new Error('an account that was just made is not there');
      const meter = await this.meters.add(tx, organizationId, credits);
      const owed = meter.due - meter.charged;
      // What owes nothing yet is charged by the next entry.
      const aiSequence = meter.sequence + 1;
      const { usageId, sid, kind, inputTokens, outputTokens, at } = data;
      const usage = { organizationId, usageId, sid, kind, inputTokens, outputTokens, credits };
      const usedAt = new Date(at);
      await this.usages.add(tx, { ...usage, aiSequence, total: meter.used, usedAt });
      if (owed <= 0) return;
      await this.postEntries.execute(tx, account, [{ kind: 'AI_USAGE', signedCredits: -owed, aiSequence }], termsAt(account, usedAt));
      await this.meters.recordCharged(tx, organizationId, meter.due);
      await failpoint('billing.ai-usage.before-commit');
    });
  }
}
