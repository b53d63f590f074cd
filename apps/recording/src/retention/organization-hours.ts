import { Inject, Injectable } from '@nestjs/common';
import type { RetentionRule } from '@classroom/messaging';
import { Clock, CONFIG } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { RetentionHoursRepository } from './retention-hours.repository.js';

/** Keeps the recordings of each organization for as long as it has set; also those that exist already. */
@Injectable()
export class OrganizationHours implements RetentionRule {
  readonly dataClass = 'recordings';

  constructor(
    @Inject(CONFIG) private readonly config: Pick<RecordingConfig, 'RECORDING_RETENTION_HOURS'>,
    private readonly recordings: RecordingsRepository,
    private readonly hours: RetentionHoursRepository,
    private readonly clock: Clock,
  ) {}

  /** Nothing is erased here: the files are deleted when they are due. @returns 0 */
  async apply(organizationId: string, kept: number, _now: Date, isSet: boolean): Promise<number> {
    // The default is the installation's own.
    const set = isSet ? kept : null;
    await this.recordings.transaction(async (tx) => {
      if (!(await this.hours.save(tx, organizationId, set))) return;
      await this.recordings.keepFor(tx, organizationId, set ?? this.config.RECORDING_RETENTION_HOURS, this.clock.now());
    });
    return 0;
  }
}
