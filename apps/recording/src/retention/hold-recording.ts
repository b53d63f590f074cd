import { Injectable } from '@nestjs/common';
import { AppError, holdRecording, roomRpc, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { egressIdOf, isExpired, later } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';

const HOUR_MS = 3_600_000;

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
