import { Injectable } from '@nestjs/common';
import { listRecordings, roomRpc, type RecordingCopyShown, type RecordingStatus, type RpcInput } from '@classroom/contracts';
import { fitMessage, Handles, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';
import { isAudioOnly } from '../recordings/recording-file.js';
import { durationOf, healthOf, recordingIdOf, startedAtOf } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import type { RecordingCopyEntity } from '../schema/recording-copy.entity.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

/** Of one message. The newest recordings are returned. */
const LIST_BYTES = 900 * 1024;

@Injectable()
export class ListRecordings {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly copies: CopiesRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(listRecordings)
  async execute({ organizationId, roomId }: RpcInput<typeof listRecordings>) {
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const rows = await this.recordings.listByRoom(sid);
    const copies = await this.copies.listOf(rows.map(({ recordingKey }) => recordingKey));
    const shown = rows.map((row) => ({
      recordingId: recordingIdOf(row),
      roomId,
      // A row with a public id is past REQUESTED and was never refused.
      status: row.status as RecordingStatus,
      startedAt: startedAtOf(row).toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
      duration: durationOf(row, this.clock.wall()),
      audioOnly: isAudioOnly(row),
      reason: row.reason,
      health: healthOf(row),
      paused: row.pausedAt !== null,
      availableUntil: availableUntilOf(row),
      mergedFrom: row.mergedFrom.map((egressId) => recordingIdOf({ egressId })),
      copy: toCopy(copies.get(row.recordingKey)),
    }));
    return fitMessage(shown.reverse(), LIST_BYTES).reverse();
  }
}

function availableUntilOf({ status, heldAt, deletedAt, deleteAt }: RecordingEntity): string | null {
  if (status !== 'COMPLETED' || heldAt) return null;
  return (deletedAt ?? deleteAt)?.toISOString() ?? null;
}

/** The copy as callers see it; null if there is none. */
export const toCopy = (row: RecordingCopyEntity | undefined): RecordingCopyShown | null =>
  row ? { status: row.status, copiedAt: row.copiedAt?.toISOString() ?? null, key: row.objectKey, error: row.error } : null;
