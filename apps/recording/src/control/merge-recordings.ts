import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, LONGEST_RECORDING_SECONDS, mergeRecordings, roomRpc, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { isAudioOnly } from '../recordings/recording-file.js';
import { isMerged } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { StartRecording } from './start-recording.js';

const GIVEN_UP = new Set<RecordingEntity['status']>(['FAILED', 'ABORTED', 'REFUSED']);

/** Makes one file of a class's files. The result is a recording of its own, which an engine makes as it makes any other. */
@Injectable()
export class MergeRecordings {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly startRecording: StartRecording,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, RECORDING_IN_PROGRESS, RECORDING_EXPIRED, NOTHING_TO_MERGE, RECORDER_BUSY, SERVICE_UNAVAILABLE */
  @Handles(mergeRecordings)
  async execute({ organizationId, roomId }: RpcInput<typeof mergeRecordings>) {
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const rows = (await this.recordings.listByRoom(room.sid)).filter(({ status }) => !GIVEN_UP.has(status));
    const merged = rows.find((row) => isMerged(row) && row.deletedAt === null);
    if (merged) return this.startRecording.toStarted(merged);
    const parts = rows.filter((row) => !isMerged(row));
    if (room.state !== 'finished' || parts.some(({ status }) => status !== 'COMPLETED')) throw new AppError('RECORDING_IN_PROGRESS');
    const [first] = parts;
    if (!first || !areAlike(parts)) throw new AppError('NOTHING_TO_MERGE');
    const { sid, title, options } = first;
    return this.startRecording.begin({
      recordingKey: randomUUID(),
      organizationId,
      sid,
      roomId,
      title,
      options,
      logoUrl: null,
      mergedFrom: parts.map(({ egressId }) => egressId ?? ''),
      requestedAt: this.clock.wall(),
    });
  }
}

function areAlike(parts: readonly RecordingEntity[]): boolean {
  const kinds = new Set(parts.map((part) => `${part.options.preset} ${isAudioOnly(part)}`));
  const seconds = parts.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
  return parts.length > 1 && kinds.size === 1 && seconds <= LONGEST_RECORDING_SECONDS;
}
