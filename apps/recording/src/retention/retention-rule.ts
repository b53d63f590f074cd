import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';

const HOUR_MS = 3_600_000;

/** When a file is deleted: RECORDING_RETENTION_HOURS after its class ended, but at least one hour after its completion. */
@Injectable()
export class RetentionRule {
  constructor(@Inject(CONFIG) private readonly config: Pick<RecordingConfig, 'RECORDING_RETENTION_HOURS'>) {}

  deleteAt(classEndedAt: Date, completedAt: Date | null): Date {
    const byClass = classEndedAt.getTime() + this.config.RECORDING_RETENTION_HOURS * HOUR_MS;
    return new Date(Math.max(byClass, (completedAt?.getTime() ?? 0) + HOUR_MS));
  }
}
