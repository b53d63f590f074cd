import { Injectable } from '@nestjs/common';
import { erasureRpc } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, failpoint, InBackground, logger, Loop } from '@classroom/platform';
import { ExportsRepository } from '../exports/exports.repository.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';
import { EraseFromHistory } from './erase-from-history.js';
import { FactsProgress } from './facts-progress.js';
import { ErasuresRepository } from './erasures.repository.js';
import { SERVICES, toReceipt } from './to-erasure.js';

const INTERVAL_MS = 1_000;
/** A request that could not be completed is continued after this time. */
const RETRY_MS = 10_000;
const BATCH = 10;

/**
 * Asks each service to erase. When all have, and this service has read what they published before, it erases in its own rows. A service that is
 * unreachable, or waits for a class to end, is asked again.
 */
@Injectable()
export class RunErasures {
  @InBackground() private readonly loop = new Loop('erasures', INTERVAL_MS, () => this.run());

  constructor(
    private readonly database: Database,
    private readonly erasures: ErasuresRepository,
    private readonly history: EraseFromHistory,
    private readonly exports: ExportsRepository,
    private readonly facts: FactsProgress,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const now = this.clock.wall();
    const due = await this.erasures.claimDue(now, new Date(now.getTime() + RETRY_MS), BATCH);
    for (const erasure of due) {
      await this.continue(erasure).catch((error: unknown) =>
        logger.warn({ err: error, erasureId: erasure.erasureId }, 'an erasure could not continue; will retry'),
      );
    }
  }

  private async continue({ erasureId, organizationId, subject, requestedAt, results, factsThrough }: ErasureEntity): Promise<void> {
    if (!subject) return;
    const waiting = SERVICES.filter((service) => !results[service]);
    const answers = await Promise.allSettled(
      waiting.map(async (service) => {
        const { isComplete, counts } = await this.rpc.call(erasureRpc[service], { erasureId, organizationId, subject });
        if (isComplete) await this.erasures.saveResult(erasureId, service, counts);
        return isComplete;
      }),
    );
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
    if (!answers.every((answer) => answer.status === 'fulfilled' && answer.value)) return;
    if (factsThrough === null) return this.erasures.saveFactsThrough(erasureId, await this.facts.last(), this.clock.wall());
    if (!(await this.facts.isReadThrough(factsThrough))) return;
    await failpoint('organization.erasure.before-commit');
    const completedAt = this.clock.now();
    await this.database.transaction(async (tx) => {
      const others = await this.erasures.lockOpen(tx, erasureId);
      if (!others) return;
      const counts = await this.history.execute(tx, organizationId, subject);
      const own = { ...counts, exports: await this.exports.expire(tx, organizationId, subject, completedAt) };
      const receipt = toReceipt({ erasureId, requestedAt }, subject, { ...others, organization: own }, completedAt);
      await this.erasures.complete(tx, erasureId, completedAt, receipt);
    });
    logger.info({ erasureId, organizationId }, 'erasure completed');
  }
}
