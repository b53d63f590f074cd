import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, roomRpc, startRecording, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { annotate, Clock, CONFIG, failpoint, logger } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { RECORDING_ENGINE, type EngineJob, type RecordingEngine } from '../engine/recording-engine.js';
import { Notices } from '../recordings/notices.js';
import { objectKeyOf } from '../recordings/object-keys.js';
import { startedAtOf } from '../recordings/recording-times.js';
import { RecordingsRepository, type NewRecording } from '../recordings/recordings.repository.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { StopRecording } from './stop-recording.js';

/** Longer than an engine may take to answer. */
const REQUEST_PATIENCE_MS = 20_000;

/**
 * Row first, then the engine, then the public id: whatever dies between, the row says what to look for. Nothing is told of
 * a start that was refused.
 */
@Injectable()
export class StartRecording {
  constructor(
    @Inject(CONFIG) private readonly config: RecordingConfig,
    @Inject(RECORDING_ENGINE) private readonly engine: RecordingEngine,
    private readonly recordings: RecordingsRepository,
    private readonly stopRecording: StopRecording,
    private readonly notices: Notices,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_NOT_LIVE, RECORDING_IN_PROGRESS, RECORDER_BUSY, SERVICE_UNAVAILABLE */
  @Handles(startRecording)
  async execute({ organizationId, roomId, options, logoUrl }: RpcInput<typeof startRecording>) {
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    annotate({ 'room.sid': room.sid });
    if (room.state !== 'live') throw new AppError('ROOM_NOT_LIVE');
    const id = this.engine.newId();
    const recording: NewRecording = {
      recordingKey: randomUUID(),
      organizationId,
      sid: room.sid,
      roomId,
      title: room.title,
      engineIds: id === undefined ? [] : [id],
      options,
      logoUrl,
      requestedAt: this.clock.wall(),
    };
    if (!(await this.recordings.reserve(recording, this.after(REQUEST_PATIENCE_MS)))) throw new AppError('RECORDING_IN_PROGRESS');
    await failpoint('recording.start.after-reserve');
    const engineId = await this.launch(recording, id);
    await failpoint('recording.start.after-engine');
    const started = await this.accept(recording.recordingKey, engineId);
    return {
      egressId: engineId,
      roomId,
      status: `EGRESS_${started.status === 'REQUESTED' ? 'STARTING' : started.status}`,
      startedAt: startedAtOf(started).toISOString(),
    };
  }

  /** The engine has it: it gets its public id, and the world is told; a class that ended meanwhile stops it. Safe to repeat. */
  async accept(recordingKey: string, engineId: string): Promise<RecordingEntity> {
    const accepted = await this.name(recordingKey, engineId);
    if (!(await this.notices.isLive(accepted))) await this.stopRecording.ofEndedRoom(recordingKey);
    return accepted;
  }

  private name(recordingKey: string, engineId: string): Promise<RecordingEntity> {
    return this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      // A stop or the watchdog may have been quicker: it has its id then.
      if (!recording || recording.status === 'REFUSED') throw new AppError('SERVICE_UNAVAILABLE');
      if (recording.egressId !== null) return recording;
      return this.recordings.change(tx, recording, {
        egressId: engineId,
        engineIds: recording.engineIds.includes(engineId) ? recording.engineIds : [...recording.engineIds, engineId],
        // The engine's own word may have come before its answer.
        status: recording.status === 'REQUESTED' ? 'STARTING' : recording.status,
        lookAt: this.after(this.config.RECORDING_STARTING_SECONDS * 1000),
      });
    });
  }

  /**
   * No recorder: the room is free for another try, and whatever starts of this one after all is stopped. Answers the
   * engine's id where its events were quicker than our patience: then it is recorded, and nothing is refused.
   */
  async refuse(recordingKey: string): Promise<string | undefined> {
    return this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      if (!recording || recording.egressId !== null) return recording?.engineIds.at(-1);
      await this.recordings.change(tx, recording, { status: 'REFUSED', lookAt: this.after(REQUEST_PATIENCE_MS) });
      return undefined;
    });
  }

  jobOf(recording: Omit<NewRecording, 'requestedAt'>, attempt: number): EngineJob {
    const { recordingKey, sid, title, logoUrl, options } = recording;
    return { recordingKey, sid, title, logoUrl, options, objectKey: objectKeyOf(recording, attempt) };
  }

  private async launch(recording: NewRecording, id: string | undefined): Promise<string> {
    try {
      return await this.engine.start(this.jobOf(recording, 1), id);
    } catch (cause) {
      const started = await this.refuse(recording.recordingKey);
      if (started !== undefined) return started;
      logger.warn({ err: cause, sid: recording.sid }, 'no recorder took the recording');
      throw cause instanceof AppError ? cause : new AppError('SERVICE_UNAVAILABLE', { cause });
    }
  }

  private after(ms: number): Date {
    return new Date(this.clock.wall().getTime() + ms);
  }
}
