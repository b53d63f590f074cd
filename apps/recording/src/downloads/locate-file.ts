import { Injectable } from '@nestjs/common';
import { AppError, recordingRpc, roomRpc, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { isExpired, recordingIdOf } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';

@Injectable()
export class LocateFile {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, RECORDING_NOT_FOUND (also if it failed), RECORDING_IN_PROGRESS, RECORDING_EXPIRED */
  @Handles(recordingRpc.file)
  async execute({ organizationId, roomId, recordingId }: RpcInput<typeof recordingRpc.file>) {
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const rows = await this.recordings.listByRoom(sid);
    const row = rows.find((one) => recordingIdOf(one) === recordingId);
    if (!row || row.status === 'FAILED' || row.status === 'ABORTED') throw new AppError('RECORDING_NOT_FOUND');
    if (row.status !== 'COMPLETED' || !row.objectKey) throw new AppError('RECORDING_IN_PROGRESS');
    if (isExpired(row, this.clock.now())) throw new AppError('RECORDING_EXPIRED');
    const { objectKey, fileName, title, size, duration } = row;
    return { objectKey, fileName: fileName ?? 'recording.mp4', title, size: size ?? 0, duration: duration ?? 0 };
  }
}
