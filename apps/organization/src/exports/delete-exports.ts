import { Injectable } from '@nestjs/common';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, failpoint, InBackground } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { ExportEntity } from '../schema/export.entity.js';
import { folderOf } from './request-export.js';
import { ExportsRepository } from './exports.repository.js';

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
