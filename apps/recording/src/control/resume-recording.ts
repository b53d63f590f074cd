import { Injectable } from '@nestjs/common';
import { AppError, resumeRecording, roomRpc, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { isRunning } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { StartRecording } from './start-recording.js';

/** Begins the next part of a paused recording. The unique index of running recordings decides a race. */
@Injectable()
export class ResumeRecording {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly startRecording: StartRecording,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_NOT_LIVE, NO_PAUSED_RECORDING, RECORDING_IN_PROGRESS, RECORDER_BUSY, SERVICE_UNAVAILABLE */
  @Handles(resumeRecording)
  async execute({ organizationId, roomId }: RpcInput<typeof resumeRecording>) {
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const last = (await this.recordings.listByRoom(sid)).at(-1);
    if (!last || (last.pausedAt === null && !isRunning(last))) throw new AppError('NO_PAUSED_RECORDING');
    if (last.pausedAt === null) throw new AppError('RECORDING_IN_PROGRESS');
    return this.startRecording.execute({ organizationId, roomId, options: last.options, logoUrl: last.logoUrl });
  }
}
