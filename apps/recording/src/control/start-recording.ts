import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  LONGEST_RECORDING_SECONDS,
  mergeRecordings,
  resumeRecording,
  roomRpc,
  startRecording,
  type RpcInput,
} from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { annotate, Clock, CONFIG, failpoint, logger, sealPicture } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { RecordingConfig } from '../config.js';
import { isAudioOnly, isExpired, isMerged, isRunning, later, objectKeyOf, startedAtOf, STARTING_MS } from '../recordings/recording.js';
import { RecordingsRepository, type NewRecording } from '../recordings/recordings.repository.js';
import { RoomStatusNotifier } from '../recordings/room-status-notifier.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { RECORDING_ENGINE, type EngineJob, type MergeJob, type RecordingEngine } from './recording-engine.js';
import { StopRecording } from './stop-recording.js';

/** Milliseconds until the watchdog looks at a start; longer than an engine may take to answer. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Seconds in which a recorder may download the parts of a merge. */
const LINK_SECONDS = 3_600;
/** For how long at least the parts of a merge are kept: also those of its second attempt. */
const PARTS_KEPT_MS = 2 * LINK_SECONDS * 1000;

/**
 * Writes the row, then calls the engine, then sets the public id: if the process dies in between, the row says what to look
 * for. A start that was refused is not published.
 */
@Injectable()
export class StartRecording {
  constructor(
    @Inject(CONFIG) private readonly config: RecordingConfig,
    @Inject(RECORDING_ENGINE) private readonly engine: RecordingEngine,
    private readonly recordings: RecordingsRepository,
    private readonly stopRecording: StopRecording,
    private readonly statusNotifier: RoomStatusNotifier,
    private readonly storage: ObjectStorage,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_NOT_LIVE, RECORDING_IN_PROGRESS, RECORDER_BUSY, SERVICE_UNAVAILABLE */
  @Handles(startRecording)
  async execute({ organizationId, roomId, options, logoUrl }: RpcInput<typeof startRecording>) {
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    annotate({ 'room.sid': room.sid });
    if (room.state !== 'live') throw new AppError('ROOM_NOT_LIVE');
    return this.begin({
      recordingKey: randomUUID(),
      organizationId,
      sid: room.sid,
      roomId,
      title: room.title,
      options,
      logoUrl,
      mergedFrom: [],
      requestedAt: this.clock.wall(),
    });
  }

  /** @throws AppError RECORDING_EXPIRED if a part is deleted, RECORDING_IN_PROGRESS, RECORDER_BUSY, SERVICE_UNAVAILABLE */
  async begin(requested: Omit<NewRecording, 'engineIds'>) {
    const id = this.engine.newId();
    const recording: NewRecording = { ...requested, engineIds: id === undefined ? [] : [id] };
    if (!(await this.reserve(recording))) throw new AppError('RECORDING_IN_PROGRESS');
    await failpoint('recording.start.after-reserve');
    const engineId = await this.launch(recording, id);
    await failpoint('recording.start.after-engine');
    return this.toStarted(await this.accept(recording.recordingKey, engineId));
  }

  toStarted(recording: RecordingEntity) {
    const { egressId, roomId, status } = recording;
    return {
      egressId: egressId ?? '',
      roomId,
      status: `EGRESS_${status === 'REQUESTED' ? 'STARTING' : status}`,
      startedAt: startedAtOf(recording).toISOString(),
    };
  }

  /**
   * The engine accepted the recording: sets its public id, publishes it, and stops it if the class has ended in the meantime.
   * Safe to repeat.
   */
  async accept(recordingKey: string, engineId: string): Promise<RecordingEntity> {
    const accepted = await this.assignEgressId(recordingKey, engineId);
    if (!(await this.statusNotifier.notify(accepted)).isLive) await this.stopRecording.stopInEndedRoom(recordingKey);
    return accepted;
  }

  private assignEgressId(recordingKey: string, engineId: string): Promise<RecordingEntity> {
    return this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      // REFUSED: the watchdog gave up the start. With a public id: an event of the engine or the watchdog was faster.
      if (!recording || recording.status === 'REFUSED') throw new AppError('SERVICE_UNAVAILABLE');
      if (recording.egressId !== null) return recording;
      return this.recordings.change(tx, recording, {
        egressId: engineId,
        engineIds: recording.engineIds.includes(engineId) ? recording.engineIds : [...recording.engineIds, engineId],
        // The engine's first event may have arrived before its answer.
        status: recording.status === 'REQUESTED' ? 'STARTING' : recording.status,
        lookAt: this.msFromNow(STARTING_MS),
      });
    });
  }

  /**
   * No recorder took the recording: marks it REFUSED, so that another start is possible. If the engine starts it nevertheless,
   * it is stopped.
   * @returns the engine's id if its events arrived before our timeout: then the recording runs and is not refused
   */
  async refuse(recordingKey: string): Promise<string | undefined> {
    return this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      if (!recording || recording.egressId !== null) return recording?.engineIds.at(-1);
      await this.recordings.change(tx, recording, { status: 'REFUSED', lookAt: this.msFromNow(REQUEST_TIMEOUT_MS) });
      return undefined;
    });
  }

  /** @returns the engine's id @throws AppError NOTHING_TO_MERGE if the engine cannot merge, RECORDER_BUSY, SERVICE_UNAVAILABLE */
  async startEngine(recording: NewRecording, attempt: number, id: string | undefined): Promise<string> {
    if (!isMerged(recording)) return this.engine.start(this.jobOf(recording, attempt), id);
    return this.engine.merge({ ...this.jobOf(recording, attempt), ...(await this.partsOf(recording)) }, id);
  }

  /** The parts of a merge are kept until it is made, whenever their own time is over. */
  private reserve(recording: NewRecording): Promise<boolean> {
    return this.recordings.transaction(async (tx) => {
      if (isMerged(recording)) await this.keepParts(tx, recording);
      return this.recordings.reserve(tx, recording, this.msFromNow(REQUEST_TIMEOUT_MS));
    });
  }

  private async keepParts(tx: Transaction, { sid, mergedFrom }: NewRecording): Promise<void> {
    const now = this.clock.now();
    const rows = await this.recordings.lockByRoom(tx, sid);
    const parts = rows.filter(({ egressId }) => egressId !== null && mergedFrom.includes(egressId));
    if (parts.length !== mergedFrom.length || parts.some((part) => isExpired(part, now))) throw new AppError('RECORDING_EXPIRED');
    const until = new Date(now.getTime() + PARTS_KEPT_MS);
    for (const part of parts) await this.recordings.change(tx, part, { deleteAt: later(part.deleteAt, until) });
  }

  private async partsOf({ sid, mergedFrom }: NewRecording): Promise<Pick<MergeJob, 'parts' | 'startedAt' | 'endedAt'>> {
    const rows = (await this.recordings.listByRoom(sid)).filter(({ egressId }) => egressId !== null && mergedFrom.includes(egressId));
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last || rows.length !== mergedFrom.length) throw new AppError('RECORDING_EXPIRED');
    const link = { expiresIn: LINK_SECONDS, for: 'service', at: this.clock.wall() } as const;
    return {
      parts: await Promise.all(rows.map(({ objectKey }) => this.storage.presignGet(objectKey ?? '', link))),
      startedAt: startedAtOf(first).toISOString(),
      endedAt: (last.endedAt ?? last.requestedAt).toISOString(),
    };
  }

  private jobOf(recording: NewRecording, attempt: number): EngineJob {
    const { recordingKey, organizationId, sid, title, logoUrl, options } = recording;
    const logoPath = options.showLogo && logoUrl ? sealPicture(this.config.LIVEKIT_API_SECRET, organizationId, logoUrl) : '';
    return { recordingKey, sid, title, logoPath, options, objectKey: objectKeyOf(recording, attempt) };
  }

  private async launch(recording: NewRecording, id: string | undefined): Promise<string> {
    try {
      return await this.startEngine(recording, 1, id);
    } catch (cause) {
      const started = await this.refuse(recording.recordingKey);
      if (started !== undefined) return started;
      logger.warn({ err: cause, sid: recording.sid }, 'no recorder accepted the recording');
      throw cause instanceof AppError ? cause : new AppError('SERVICE_UNAVAILABLE', { cause });
    }
  }

  private msFromNow(ms: number): Date {
    return new Date(this.clock.wall().getTime() + ms);
  }
}

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
