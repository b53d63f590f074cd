import { Inject, Injectable } from '@nestjs/common';
import { AppError, egressId as egressIdSchema, pauseRecording, roomRpc, stopRecording, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { annotate, Clock, failpoint, logger } from '@classroom/platform';
import { RECORDING_ENGINE, type RecordingEngine } from './recording-engine.js';
import { durationOf, isRunning, PENDING_ENGINE_ID } from '../recordings/recording.js';
import { RecordingsRepository, type RecordingChange } from '../recordings/recordings.repository.js';
import { RoomStatusNotifier } from '../recordings/room-status-notifier.js';
import { RetentionRule } from '../retention/retention-rule.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

@Injectable()
export class StopRecording {
  constructor(
    @Inject(RECORDING_ENGINE) private readonly engine: RecordingEngine,
    private readonly recordings: RecordingsRepository,
    private readonly statusNotifier: RoomStatusNotifier,
    private readonly retention: RetentionRule,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** Of a paused recording, whose file has ended, it ends the pause. @throws AppError ROOM_NOT_FOUND, RECORDING_NOT_FOUND, NO_ACTIVE_RECORDING */
  @Handles(stopRecording)
  execute(input: RpcInput<typeof stopRecording>) {
    return this.stop(input);
  }

  /** Ends the file; `resumeRecording` begins the next one. @throws AppError ROOM_NOT_FOUND, NO_ACTIVE_RECORDING */
  @Handles(pauseRecording)
  pause(input: RpcInput<typeof pauseRecording>) {
    return this.stop(input, this.clock.wall());
  }

  private async stop({ organizationId, roomId, egressId }: RpcInput<typeof stopRecording>, pausedAt: Date | null = null) {
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    annotate({ 'room.sid': sid });
    const stopped = await this.recordings.transaction(async (tx) => {
      const recording = await this.lockTarget(tx, sid, egressId);
      // A recording without a public id cannot be meant: no caller knows it yet.
      if (recording && recording.egressId !== null && isRunning(recording)) return this.markEnding(tx, recording, { pausedAt });
      const paused = pausedAt === null ? await this.recordings.lockPaused(tx, sid) : null;
      if (!paused || (recording && recording.egressId !== paused.egressId)) throw new AppError('NO_ACTIVE_RECORDING');
      return this.recordings.change(tx, paused, { pausedAt: null });
    });
    if (stopped.status === 'ENDING') await this.stopEngine(stopped);
    await this.statusNotifier.notify(stopped);
    return {
      egressId: stopped.egressId ?? '',
      status: `EGRESS_${stopped.status}`,
      duration: durationOf(stopped, this.clock.wall()),
      keptHours: await this.retention.hoursOf(organizationId),
    };
  }

  /** Stops the recording of a class that has ended, if it still runs. Safe to repeat. */
  async stopInEndedRoom(recordingKey: string): Promise<void> {
    const stopped = await this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      return recording && recording.egressId !== null && isRunning(recording) ? this.markEnding(tx, recording) : undefined;
    });
    if (!stopped) return;
    await this.stopEngine(stopped);
    await this.statusNotifier.notify(stopped);
  }

  private async lockTarget(tx: Transaction, sid: string, egressId: string | undefined): Promise<RecordingEntity | null> {
    if (egressId === undefined) return this.recordings.lockActive(tx, sid);
    const recording = isEgressId(egressId) ? await this.recordings.lockByEgressId(tx, sid, egressId) : null;
    if (!recording) throw new AppError('RECORDING_NOT_FOUND');
    return recording;
  }

  private markEnding(tx: Transaction, recording: RecordingEntity, more: RecordingChange = {}): Promise<RecordingEntity> {
    const now = this.clock.wall();
    return this.recordings.change(tx, recording, { ...more, status: 'ENDING', endedAt: now });
  }

  /** If the engine does not answer, the watchdog repeats the request. */
  private async stopEngine({ engineIds, sid }: RecordingEntity): Promise<void> {
    await failpoint('recording.stop.after-commit');
    const engineId = engineIds.at(-1);
    if (engineId === undefined || engineId === PENDING_ENGINE_ID) return;
    await this.engine.stop(engineId).catch((error: unknown) => {
      logger.warn({ err: error, sid }, 'stop request to the engine failed; will retry');
    });
  }
}

const isEgressId = (id: string) => egressIdSchema.safeParse(id).success;
