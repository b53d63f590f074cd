import { Injectable } from '@nestjs/common';
import { Clock, failpoint, InBackground, Loop } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { folderOf } from './export-keys.js';
import { ExportsRepository } from './exports.repository.js';

const INTERVAL_MS = 5_000;
const BATCH = 20;
const DAY_MS = 86_400_000;

/** Deletes the files of exports at the end of their time, and again a day later for what a stalled worker uploads. The row remains, without its subject. */
@Injectable()
export class DeleteExports {
  @InBackground() private readonly loop = new Loop('export-expiry', INTERVAL_MS, () => this.execute());

  constructor(
    private readonly exports: ExportsRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Idempotent: what fails is deleted in the next run. */
  async execute(): Promise<void> {
    const now = this.clock.now();
    for (const row of await this.exports.findDeletable(now, BATCH)) {
      await this.storage.deletePrefix(folderOf(row));
      await this.storage.abortUploads(folderOf(row));
      await failpoint('organization.export-expiry.before-commit');
      await this.exports.markDeleted(row.exportId, now, new Date(now.getTime() + DAY_MS));
    }
  }
}
