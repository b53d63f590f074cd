import { Inject, Injectable } from '@nestjs/common';
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

  async deleteAt(organizationId: string, classEndedAt: Date, completedAt: Date | null): Promise<Date> {
    const hours = await this.hoursOf(organizationId);
    return new Date(Math.max(classEndedAt.getTime() + hours * HOUR_MS, (completedAt?.getTime() ?? 0) + HOUR_MS));
  }

  async hoursOf(organizationId: string): Promise<number> {
    return (await this.hours.find(organizationId)) ?? this.config.RECORDING_RETENTION_HOURS;
  }
}
