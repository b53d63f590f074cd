import { Injectable } from '@nestjs/common';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, failpoint, InBackground, Lease, logger } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { ExportEntity } from '../schema/export.entity.js';
import { ExportsRepository, type ExportAttempt } from './exports.repository.js';
import { folderOf, keyOf, SERVICES } from './request-export.js';
import { WriteExport } from './write-export.js';

/** Exports that one process makes at the same time. Each needs about 40 MB of memory. */
const PARALLEL = 2;
/** An attempt that was not renewed for this time is replaced: its worker is dead. */
const LEASE_MS = 15_000;
/** A failed attempt is followed by another one after this time. */
const RETRY_MS = 10_000;
const KEPT_MS = 7 * 86_400_000;

/**
 * Makes the files of exports. An attempt holds its row by a lease; a worker that was killed is replaced, and the file is made again. Only the
 * attempt that completes the row names the file that is offered.
 */
@Injectable()
export class RunExports {
  @InBackground() private readonly work: DueWork<ExportAttempt>;

  constructor(
    dueWorks: DueWorks,
    private readonly exports: ExportsRepository,
    private readonly writeExport: WriteExport,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<ExportAttempt>({
      name: 'exports',
      isByWallTime: true,
      keyOf: ({ exportId }) => exportId,
      claim: (now, limit) => exports.claimDue(now, this.later(LEASE_MS), limit),
      run: (attempt, signal) => this.attempt(attempt, signal),
      parallel: PARALLEL,
    });
  }

  /** @param stopping ends it, and makes it due at once for other processes */
  private async attempt(attempt: ExportAttempt, stopping: AbortSignal): Promise<void> {
    const { exportId, organizationId } = attempt;
    const waitingFor = new Set(SERVICES);
    const lease = new Lease('export-lease', { ms: LEASE_MS }, () => this.exports.renew(attempt, this.later(LEASE_MS), [...waitingFor]));
    try {
      await lease.during(async () => {
        const file = await this.writeExport.execute(attempt, AbortSignal.any([lease.signal, stopping]), (service) => {
          waitingFor.delete(service);
          lease.wake();
        });
        await failpoint('organization.export.before-commit');
        const completedAt = this.clock.now();
        const deleteAt = new Date(completedAt.getTime() + KEPT_MS);
        if (await this.exports.complete(attempt, completedAt, deleteAt, file)) {
          logger.info({ exportId, organizationId, bytes: file.bytes }, 'export completed');
        } else await this.storage.delete(keyOf(attempt));
      });
    } catch (error) {
      await this.exports
        .renew(attempt, this.later(stopping.aborted ? 0 : RETRY_MS), SERVICES)
        .catch((cause: unknown) => logger.warn({ err: cause, exportId }, 'an export is retried when its lease has expired'));
      if (!stopping.aborted) throw error;
    }
  }

  private later(ms: number): Date {
    return new Date(this.clock.wall().getTime() + ms);
  }
}

const INTERVAL_MS = 5_000;
const DAY_MS = 86_400_000;

type DeletableExport = Pick<ExportEntity, 'exportId' | 'organizationId'>;

/** Deletes the files of exports at the end of their time, and again a day later for what a stalled worker uploads. The row remains, without its subject. */
@Injectable()
export class DeleteExports {
  @InBackground() private readonly work: DueWork<DeletableExport>;

  constructor(
    dueWorks: DueWorks,
    private readonly exports: ExportsRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<DeletableExport>({
      name: 'export-expiry',
      intervalMs: INTERVAL_MS,
      keyOf: ({ exportId }) => exportId,
      find: (now, limit) => exports.findDeletable(now, limit),
      run: (row) => this.delete(row),
      parallel: 4,
    });
  }

  private async delete(row: DeletableExport): Promise<void> {
    await this.storage.deletePrefix(folderOf(row));
    await this.storage.abortUploads(folderOf(row));
    await failpoint('organization.export-expiry.before-commit');
    const now = this.clock.now();
    await this.exports.markDeleted(row.exportId, now, new Date(now.getTime() + DAY_MS));
  }
}
