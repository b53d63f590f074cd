import { Inject, Injectable } from '@nestjs/common';
import {
  closingRpc,
  CONSUMERS,
  erasureRpc,
  STREAMS,
  type ErasureCounts,
  type ErasureSubject,
  type PersonOrClass,
} from '@classroom/contracts';
import { DueWorks, eraseOrganization, isReadThrough, JETSTREAM, RpcClient, type DueWork } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG, failpoint, InBackground, logger, Loop } from '@classroom/platform';
import type { JetStreamClient } from '@nats-io/jetstream';
import { AuditLogRepository } from '../audit/audit-log.repository.js';
import type { OrganizationConfig } from '../config.js';
import { CredentialsRepository } from '../organizations/credentials.repository.js';
import { ExportsRepository } from './exports.repository.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';
import { EraseFromHistory } from './erase-from-history.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ErasureRecords } from './repeat-erasures.js';
import { CLOSING_MS } from './request-erasure.js';
import { stagesOf, toReceipt } from './to-erasure.js';

/** How far this service has read the facts of the others. */
@Injectable()
export class FactsProgress {
  constructor(@Inject(JETSTREAM) private readonly jetstream: JetStreamClient) {}

  /** @returns the number of the last fact in the stream */
  async last(): Promise<number> {
    const manager = await this.jetstream.jetstreamManager(false);
    return (await manager.streams.info(STREAMS.EVENTS.name)).state.last_seq;
  }

  /** Whether every fact up to this number is in this service's rows, or does not concern it. */
  isReadThrough(sequence: number): Promise<boolean> {
    return isReadThrough(this.jetstream, CONSUMERS.organizationFacts, sequence);
  }
}

/** A request that could not be completed is continued after this time. */
const RETRY_MS = 10_000;
const PARALLEL = 4;
/**
 * Its id and credentials stay until it has had time to read the receipt. The head of its audit log is deleted together with the log; a row of an
 * export is needed until the file is deleted.
 */
const KEPT = ['audit_heads', 'erasures', 'exports', 'organizations', 'organization_credentials'];

/** In the receipt. */
const AUDIT_ENTRIES = 'audit entries';

/** Milliseconds in which one run erases in the history; the next run continues. */
const HISTORY_BUDGET_MS = 8_000;

/**
 * Asks each service to erase: `room` first, because it alone knows which classes are over; the others when they have read the facts up to the end of
 * the last class. When all have, and this service has read what they published before, it erases in its own rows. A service that is unreachable, or
 * waits for a class to end, is asked again.
 */
@Injectable()
export class RunErasures {
  @InBackground() private readonly work: DueWork<ErasureEntity>;

  constructor(
    dueWorks: DueWorks,
    @Inject(CONFIG) private readonly config: Pick<OrganizationConfig, 'BACKUP_DAYS'>,
    private readonly database: Database,
    private readonly erasures: ErasuresRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly history: EraseFromHistory,
    private readonly audit: AuditLogRepository,
    private readonly exports: ExportsRepository,
    private readonly facts: FactsProgress,
    private readonly records: ErasureRecords,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<ErasureEntity>({
      name: 'erasures',
      isByWallTime: true,
      keyOf: ({ erasureId }) => erasureId,
      claim: async (now, limit) => {
        await erasures.startDue(clock.now(), now);
        return erasures.claimDue(now, new Date(now.getTime() + RETRY_MS), limit);
      },
      run: (erasure) => this.continue(erasure),
      parallel: PARALLEL,
    });
  }

  private async continue(erasure: ErasureEntity): Promise<void> {
    const { erasureId, organizationId, subject, factsThrough, isOfOrganization, closedThrough, results } = erasure;
    if (!subject) return;
    // Also an erasure that waits for a class to end is repeated after a restore.
    if (closedThrough === null && Object.keys(results).length === 0) await this.records.write(erasure, subject, false);
    if (isOfOrganization && closedThrough === null) return this.endClasses(erasure);
    for (const stage of stagesOf(erasure)) {
      if (!(await this.eraseIn(stage, erasure, subject))) return;
      if (closedThrough === null) return this.erasures.saveClosedThrough(erasureId, await this.facts.last(), this.clock.wall());
    }
    if (factsThrough === null) return this.erasures.saveFactsThrough(erasureId, await this.facts.last(), this.clock.wall());
    if (!(await this.facts.isReadThrough(factsThrough))) return;
    if ('organization' in subject) {
      const request = { erasureId, organizationId, subject, readThrough: factsThrough };
      const { isComplete, counts } = await eraseOrganization(this.database, request, { kept: KEPT });
      if (isComplete)
        await this.complete(erasure, subject, async (tx) => ({ ...counts, [AUDIT_ENTRIES]: await this.audit.countOf(tx, organizationId) }));
      return;
    }
    const history = await this.eraseHistory(erasure, subject);
    if (history) await this.complete(erasure, subject, () => Promise.resolve(history));
  }

  /** @returns how many rows were changed, by store; undefined if it is not complete */
  private async eraseHistory({ erasureId, organizationId }: ErasureEntity, subject: PersonOrClass): Promise<ErasureCounts | undefined> {
    const end = performance.now() + HISTORY_BUDGET_MS;
    do {
      const progress = await this.database.transaction(async (tx) => {
        // Two erasures may concern the same events, which are read, changed and written.
        await this.erasures.lockHistory(tx, organizationId);
        const open = await this.erasures.lockOpen(tx, erasureId);
        if (!open || open.historyProgress?.isComplete) return open?.historyProgress;
        const next = await this.history.execute(tx, organizationId, subject, open.historyProgress);
        await this.erasures.saveHistoryProgress(tx, erasureId, next);
        return next;
      });
      // Another process has completed the erasure.
      if (!progress) return undefined;
      if (progress.isComplete) return progress.counts;
    } while (performance.now() < end);
    return undefined;
  }

  /** Also waits until no gateway reads for the organization what it was asked for before. */
  private async endClasses({ erasureId, organizationId, requestedAt, beginsAt }: ErasureEntity): Promise<void> {
    const { isDone } = await this.rpc.call(closingRpc.endClasses, { organizationId });
    if (!isDone || this.clock.now().getTime() - (beginsAt ?? requestedAt).getTime() < CLOSING_MS) return;
    await this.erasures.saveClosedThrough(erasureId, await this.facts.last(), this.clock.wall());
  }

  /** @returns whether all services of the stage have erased */
  private async eraseIn(
    stage: readonly (keyof typeof erasureRpc)[],
    { erasureId, organizationId, results, closedThrough }: ErasureEntity,
    subject: ErasureSubject,
  ): Promise<boolean> {
    const request = { erasureId, organizationId, subject, readThrough: closedThrough ?? 0 };
    const waiting = stage.filter((service) => !results[service]);
    const answers = await Promise.allSettled(
      waiting.map(async (service) => {
        const { isComplete, counts } = await this.rpc.call(erasureRpc[service], request);
        if (isComplete) await this.erasures.saveResult(erasureId, service, counts);
        return isComplete;
      }),
    );
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
    return answers.every((answer) => answer.status === 'fulfilled' && answer.value);
  }

  private async complete(
    erasure: ErasureEntity,
    subject: ErasureSubject,
    eraseOwn: (tx: Transaction) => Promise<ErasureCounts>,
  ): Promise<void> {
    const { erasureId, organizationId, isOfOrganization } = erasure;
    // Its time begins again: backups until now contain the subject.
    await this.records.write(erasure, subject, true);
    await failpoint('organization.erasure.before-commit');
    const completedAt = this.clock.now();
    await this.database.transaction(async (tx) => {
      const open = await this.erasures.lockOpen(tx, erasureId);
      if (!open) return;
      const own: ErasureCounts = { ...(await eraseOwn(tx)), exports: await this.exports.expire(tx, organizationId, subject, completedAt) };
      if (isOfOrganization) await this.organizations.forget(tx, organizationId);
      const results = { ...open.results, organization: own };
      const receipt = toReceipt(erasure, subject, results, { completedAt, backupDays: this.config.BACKUP_DAYS });
      await this.erasures.complete(tx, erasureId, completedAt, receipt);
      if (isOfOrganization) await this.audit.eraseOf(tx, organizationId, own[AUDIT_ENTRIES] ?? 0);
    });
    logger.info({ erasureId, organizationId }, 'erasure completed');
  }
}

const INTERVAL_MS = 5_000;
/** So long, an erased organization can read its receipt with its credentials. */
const KEPT_MS = 30 * 86_400_000;
const BATCH = 10;

/** Deletes credentials and rows of organizations whose erasure was completed 30 days ago. The receipt stays, for operators. */
@Injectable()
export class RemoveErased {
  @InBackground() private readonly loop = new Loop('erased-organizations', INTERVAL_MS, () => this.run());

  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly credentials: CredentialsRepository,
    private readonly exports: ExportsRepository,
    private readonly clock: Clock,
  ) {}

  private async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const removed = await this.database.transaction(async (tx) => {
      const organizationIds = await this.organizations.lockErased(tx, before, BATCH);
      await this.exports.removeOf(tx, organizationIds);
      await this.credentials.removeOf(tx, organizationIds);
      await this.organizations.remove(tx, organizationIds);
      return organizationIds;
    });
    for (const organizationId of removed) logger.info({ organizationId }, 'erased organization removed');
  }
}
