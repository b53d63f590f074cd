import { Injectable } from '@nestjs/common';
import { roomRpc } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { logger } from '@classroom/platform';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { isMerged, toFact } from './recording.js';

/** Notifies the room service of what was just committed, so that its status is right immediately. The fact follows in any case. */
@Injectable()
export class RoomStatusNotifier {
  constructor(private readonly rpc: RpcClient) {}

  /** @returns whether the class is still running; true if the room service does not answer */
  async notify(recording: RecordingEntity): Promise<{ isLive: boolean }> {
    if (recording.egressId === null || isMerged(recording)) return { isLive: true };
    const { sid, egressId, status, version, startedAt, isPaused } = toFact(recording);
    try {
      return await this.rpc.call(roomRpc.noteRecording, { sid, egressId, status, version, startedAt, isPaused });
    } catch (error) {
      logger.warn({ err: error, sid }, 'room service not notified of a recording; the event will follow');
      return { isLive: true };
    }
  }
}
