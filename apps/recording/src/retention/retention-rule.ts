import { Inject, Injectable } from '@nestjs/common';
import { AppError, holdRecording, retentionRpc, roomRpc, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient, type RetentionRule as SweptRule } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { egressIdOf, isExpired, later } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
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

/** Keeps the recordings of each organization for as long as it has set; also those that exist already. */
@Injectable()
export class OrganizationHours implements SweptRule {
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

/** How many recordings a shorter retention concerns. */
@Injectable()
export class CountOldRecordings {
  constructor(private readonly recordings: RecordingsRepository) {}

  @Handles(retentionRpc.recording)
  async execute({ organizationId, before }: RpcInput<typeof retentionRpc.recording>) {
    const { old, all, oldestAt } = await this.recordings.countOld(organizationId, new Date(before));
    return { old, all, oldestAt: oldestAt?.toISOString() ?? null };
  }
}

@Injectable()
export class HoldRecording {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** Idempotent: a hold keeps the time at which it began. @throws AppError FORBIDDEN, ROOM_NOT_FOUND, RECORDING_NOT_FOUND, RECORDING_EXPIRED */
  @Handles(holdRecording)
  async execute({ organizationId, roomId, recordingId, legalHold, mayEnd }: RpcInput<typeof holdRecording>) {
    if (!legalHold && !mayEnd)
      throw new AppError('FORBIDDEN', { message: 'This API key lacks the scope recordings:manage, and so can’t end a legal hold' });
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const now = this.clock.now();
    const { heldAt, deleteAt } = await this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lockByEgressId(tx, sid, egressIdOf(recordingId));
      if (!recording) throw new AppError('RECORDING_NOT_FOUND');
      if (isExpired(recording, now)) throw new AppError('RECORDING_EXPIRED');
      if ((recording.heldAt !== null) === legalHold) return recording;
      const change = legalHold ? { heldAt: now } : { heldAt: null, deleteAt: later(recording.deleteAt, new Date(now.getTime() + HOUR_MS)) };
      return this.recordings.change(tx, recording, change);
    });
    return { recordingId, roomId, legalHold: heldAt !== null, deleteAt: heldAt ? null : (deleteAt?.toISOString() ?? null) };
  }
}
