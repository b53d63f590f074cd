import { Injectable } from '@nestjs/common';
import { creditRollUp, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { InBackground, inParallel, logger } from '@classroom/platform';
import { EnsureAccount } from '../plans/ensure-account.js';
import { DueAccountsRepository, type DueAccount } from './due-accounts.repository.js';
import { RollUp } from './roll-up.js';

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
