import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { handToQueue } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, Dependencies, InBackground, logger, Loop, observedGauge } from '@classroom/platform';
import type { Queue } from 'bullmq';
import { EnsureAccount } from '../plans/ensure-account.js';
import { CLOSE_AFTER_MS, CLOSES_AT } from '../charging/close-cycles.js';
import { CREDIT_ROLLUP_QUEUE, type RollUpJob } from './roll-up.jobs.js';
import { RollUp } from './roll-up.js';

const EVERY_MS = 1_000;
const BATCH = 10_000;
const JOBS_A_CALL = 250;

interface DueAccount {
  organizationId: string;
  /** Null where the organization's plan has not been heard of yet. */
  accountId: string | null;
}

/**
 * Finds in the rows whose turn it is and hands it to the queue, one job an organization. Where Redis is away the work is
 * done here: deadlines are rows, the queue only spreads them.
 */
@Injectable()
export class RollUpTrigger implements OnModuleInit {
  @InBackground() private readonly loop = new Loop('roll-up', EVERY_MS, () => this.run());

  constructor(
    @InjectQueue(CREDIT_ROLLUP_QUEUE) private readonly queue: Queue<RollUpJob>,
    private readonly database: Database,
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
    const due = await this.due();
    while (due.length > 0) {
      const accountIds = await Promise.all(due.splice(0, JOBS_A_CALL).map((one) => this.accountOf(one)));
      await this.hand(accountIds.filter((accountId) => accountId !== undefined));
    }
  }

  /** One organization's trouble is not the others': what can't be had now is tried again at the next turn. */
  private async accountOf({ organizationId, accountId }: DueAccount): Promise<string | undefined> {
    if (accountId !== null) return accountId;
    try {
      return (await this.ensureAccount.execute(organizationId)).accountId;
    } catch (error) {
      logger.error({ err: error }, 'an organization’s account could not be had; it will be tried again');
      return undefined;
    }
  }

  private due(): Promise<DueAccount[]> {
    const now = this.clock.now();
    return this.database.query<DueAccount & Record<string, unknown>>(
      `SELECT d.organization_id AS "organizationId", a.account_id AS "accountId"
         FROM (SELECT DISTINCT organization_id FROM room_meters WHERE due_at <= $1
               UNION SELECT organization_id FROM accounts WHERE billing_type = 'POSTPAID' AND cycle_end <= $2 AND ${CLOSES_AT} <= $1) d
         LEFT JOIN accounts a USING (organization_id) LIMIT ${BATCH}`,
      [now, new Date(now.getTime() - CLOSE_AFTER_MS)],
    );
  }

  private async overdue() {
    const [row] = await this.database.query<{ dueAt: Date | null }>('SELECT min(due_at) AS "dueAt" FROM room_meters WHERE due_at IS NOT NULL');
    const seconds = row?.dueAt ? (this.clock.now().getTime() - row.dueAt.getTime()) / 1000 : 0;
    return [{ value: Math.max(seconds, 0), attributes: { queue: CREDIT_ROLLUP_QUEUE } }];
  }

  private async hand(accountIds: string[]): Promise<void> {
    const jobs = accountIds.map((accountId) => ({ jobId: `rollup-${accountId}`, data: { accountId } }));
    if (await handToQueue(this.queue, 'roll-up', jobs)) return;
    for (const accountId of accountIds) {
      await this.rollUp.execute(accountId).catch((error: unknown) => {
        logger.error({ err: error, accountId }, 'an organization could not be charged now; it will be tried again');
      });
    }
  }
}
