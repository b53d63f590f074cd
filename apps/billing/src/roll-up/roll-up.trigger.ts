import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { enqueueDueJobs, type DueJob } from '@classroom/messaging';
import { Clock, Dependencies, InBackground, inParallel, logger, Loop, observedGauge } from '@classroom/platform';
import type { Queue } from 'bullmq';
import { EnsureAccount } from '../plans/ensure-account.js';
import { DueAccountsRepository, type DueAccount } from './due-accounts.repository.js';
import { CREDIT_ROLLUP_QUEUE, type RollUpJob } from './roll-up.processor.js';
import { RollUp } from './roll-up.js';

const INTERVAL_MS = 1_000;
/** Plans that are requested in parallel. */
const CONCURRENCY = 16;

/**
 * Finds due accounts and adds one job per shard of them to the queue. While Redis is unreachable, the work is done here: due times are rows in
 * Postgres, and the queue only distributes the work.
 */
@Injectable()
export class RollUpTrigger implements OnModuleInit {
  @InBackground() private readonly loop = new Loop('roll-up', INTERVAL_MS, () => this.run());

  constructor(
    @InjectQueue(CREDIT_ROLLUP_QUEUE) private readonly queue: Queue<RollUpJob>,
    private readonly accounts: DueAccountsRepository,
    private readonly ensureAccount: EnsureAccount,
    private readonly rollUp: RollUp,
    private readonly clock: Clock,
    private readonly dependencies: Dependencies,
  ) {
    observedGauge('classroom_job_overdue_seconds', 'How late the job is that has waited longest, by queue', () => this.overdue());
  }

  onModuleInit(): void {
    this.dependencies.register('redis', () => this.queue.isPaused(), { required: false });
  }

  private async run(): Promise<void> {
    const accountIds: string[] = [];
    await inParallel(await this.accounts.findDue(this.clock.now()), CONCURRENCY, async (due) => {
      const accountId = await this.ensureAccountId(due);
      if (accountId !== undefined) accountIds.push(accountId);
    });
    await this.enqueueOrRun(toShards(accountIds));
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

  private async overdue() {
    const dueAt = await this.accounts.findEarliestDue();
    const seconds = dueAt ? (this.clock.now().getTime() - dueAt.getTime()) / 1000 : 0;
    return [{ value: Math.max(seconds, 0), attributes: { queue: CREDIT_ROLLUP_QUEUE } }];
  }

  private async enqueueOrRun(jobs: DueJob<RollUpJob>[]): Promise<void> {
    if (await enqueueDueJobs(this.queue, 'roll-up', jobs)) return;
    // The roll-up logs what fails; the next turn tries it again.
    for (const { data } of jobs) await this.rollUp.execute(data.accountIds ?? []).catch(() => undefined);
  }
}

/** Jobs for at most 16 shards: accounts whose ids end with the same digit are charged together. */
function toShards(accountIds: readonly string[]): DueJob<RollUpJob>[] {
  const shards = new Map<string, string[]>();
  for (const accountId of accountIds) {
    const shard = accountId.slice(-1);
    shards.set(shard, [...(shards.get(shard) ?? []), accountId]);
  }
  return [...shards].map(([shard, ids]) => ({ jobId: `rollup-shard-${shard}`, data: { accountId: ids[0] ?? '', accountIds: ids } }));
}
