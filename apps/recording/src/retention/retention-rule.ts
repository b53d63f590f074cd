import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { CONFIG } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { RetentionHoursRepository } from './retention-hours.repository.js';

const HOUR_MS = 3_600_000;

/**
 * When a file is deleted: the hours of its organization, by default RECORDING_RETENTION_HOURS, after its class ended, but at least one hour after its
 * completion.
 */
@Injectable()
export class RetentionRule {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<RecordingConfig, 'RECORDING_RETENTION_HOURS'>,
    @Inject(RetentionHoursRepository) private readonly hours: Pick<RetentionHoursRepository, 'find'>,
  ) {}

  async hoursOf(organizationId: string, tx?: Transaction): Promise<number> {
    return (await this.hours.find(organizationId, tx)) ?? this.config.RECORDING_RETENTION_HOURS;
  }

  /** @param tx the caller's transaction, if it has one: a second connection could be one too many */
  async deleteAt(organizationId: string, classEndedAt: Date, completedAt: Date | null, tx?: Transaction): Promise<Date> {
    const hours = await this.hoursOf(organizationId, tx);
    return new Date(Math.max(classEndedAt.getTime() + hours * HOUR_MS, (completedAt?.getTime() ?? 0) + HOUR_MS));
  }
}
