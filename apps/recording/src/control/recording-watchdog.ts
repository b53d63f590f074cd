import { Inject, Injectable } from '@nestjs/common';
import type { EgressInfo } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { Clock, InBackground, logger } from '@classroom/platform';
import { StartRecording } from './start-recording.js';
import { StopRecording } from './stop-recording.js';
import { RECORDING_ENGINE, type RecordingEngine } from './recording-engine.js';
import { isRunning, objectKeyOf, PENDING_ENGINE_ID, STARTING_MS } from '../recordings/recording.js';
import { RecordingsRepository, type RecordingChange } from '../recordings/recordings.repository.js';
import { RoomStatusNotifier } from '../recordings/room-status-notifier.js';
import { RoomsRepository } from '../recordings/rooms.repository.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { ApplyEgress } from './egress.consumer.js';

/** How often a recording is compared with the engine. */
const COMPARED_EVERY_MS = 30_000;
const PARALLEL = 4;
const MAX_ATTEMPTS = 2;
/** Milliseconds. A recorder that restarts is unreachable for a few seconds and then continues with what it captured. */
const MISSING_TIMEOUT_MS = 25_000;
/** Milliseconds that a recording may be ENDING: the engine needs time to produce and upload a long video. */
const ENDING_TIMEOUT_MS = 30 * 60_000;
const RUNNING_STATUSES = new Set(['EGRESS_STARTING', 'EGRESS_ACTIVE']);

/** Compares our rows with the engine, so that no row waits for an event that never arrives. */
@Injectable()
export class RecordingWatchdog {
  @InBackground() private readonly work: DueWork<RecordingEntity>;

  constructor(
    dueWorks: DueWorks,
    @Inject(RECORDING_ENGINE) private readonly engine: RecordingEngine,
    private readonly recordings: RecordingsRepository,
    private readonly startRecording: StartRecording,
    private readonly applyEgress: ApplyEgress,
    private readonly stopRecording: StopRecording,
    private readonly rooms: RoomsRepository,
    private readonly statusNotifier: RoomStatusNotifier,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare<RecordingEntity>({
      name: 'recording-watchdog',
      isByWallTime: true,
      keyOf: ({ recordingKey }) => recordingKey,
      claim: (now, limit) => recordings.claimLooks(now, new Date(now.getTime() + COMPARED_EVERY_MS), limit),
      // If the engine does not answer, that proves nothing: the next look asks again.
      run: (recording) => this.compare(recording),
      parallel: PARALLEL,
    });
  }

  private async compare(recording: RecordingEntity): Promise<void> {
    if (recording.egressId === null) return this.settleStart(recording);
    const info = await this.findEgress(recording);
    if (!info) return this.handleMissing(recording);
    const engineId = info.egressId;
    if (recording.missingSince) await this.change(recording, { missingSince: null });
    await this.applyEgress.execute(info);
    if (!RUNNING_STATUSES.has(info.status)) return this.failIfEndless(recording);
    if (recording.status === 'ENDING' || recording.status === 'FAILED') return this.engine.stop(engineId);
    // Its first event may have arrived after the class ended, when the end of the class could no longer stop it.
    if (isRunning(recording) && (await this.rooms.findEndedAt(recording.sid)))
      return this.stopRecording.stopInEndedRoom(recording.recordingKey);
    if (recording.status === 'STARTING' && info.status === 'EGRESS_STARTING') await this.retryIfStuck(recording, engineId);
  }

  /** What the engine reports of the current attempt, found by its file if its id is not known yet. */
  private findEgress(recording: RecordingEntity): Promise<EgressInfo | undefined> {
    const { engineIds, egressId, sid } = recording;
    const engineId = engineIds.at(-1) ?? egressId ?? PENDING_ENGINE_ID;
    if (engineId !== PENDING_ENGINE_ID) return this.engine.describe(engineId);
    return this.engine.find({ sid, objectKey: objectKeyOf(recording, engineIds.length) }, undefined);
  }

  /** Settles a start whose process died, or that was refused. The engine knows it by its id or by the path of its file. */
  private async settleStart(recording: RecordingEntity): Promise<void> {
    const { recordingKey, sid, status, engineIds } = recording;
    const info = await this.engine.find({ sid, objectKey: objectKeyOf(recording, 1) }, engineIds.at(-1));
    if (status === 'REFUSED' || !info) {
      if (info && RUNNING_STATUSES.has(info.status)) return this.engine.stop(info.egressId);
      if (status === 'REFUSED') await this.change(recording, { lookAt: null });
      else await this.startRecording.refuse(recordingKey);
      return;
    }
    await this.startRecording.accept(recordingKey, info.egressId);
    await this.applyEgress.execute(info);
  }

  private async handleMissing(recording: RecordingEntity): Promise<void> {
    const now = this.clock.wall();
    if (!recording.missingSince) {
      await this.change(recording, { missingSince: now, lookAt: new Date(now.getTime() + MISSING_TIMEOUT_MS) });
      return;
    }
    if (now.getTime() - recording.missingSince.getTime() < MISSING_TIMEOUT_MS) return;
    if (recording.status === 'STARTING') return this.retry(recording, 'The recorder was lost before it began');
    await this.fail(recording, 'The recorder was lost');
  }

  /** STARTING for too long: tries once more with another recorder, then the recording has failed. */
  private async retryIfStuck(recording: RecordingEntity, engineId: string): Promise<void> {
    const waited = this.clock.wall().getTime() - recording.attemptedAt.getTime();
    if (waited < STARTING_MS) return;
    await this.retry(recording, 'The recording did not begin in time', engineId);
  }

  /** The new attempt is written before the old one is stopped, so that the old one's end is not applied to the recording. */
  private async retry(recording: RecordingEntity, reason: string, previousEngineId?: string): Promise<void> {
    const attempt = recording.engineIds.length + 1;
    const id = this.engine.newId();
    if (attempt <= MAX_ATTEMPTS) await this.recordAttempt(recording, id ?? PENDING_ENGINE_ID);
    else await this.fail(recording, reason);
    if (previousEngineId !== undefined) await this.engine.stop(previousEngineId);
    if (attempt > MAX_ATTEMPTS) return;
    logger.warn({ sid: recording.sid, egressId: recording.egressId, reason }, 'retrying recording');
    try {
      const engineId = await this.startRecording.startEngine(recording, attempt, id);
      if (id === undefined) await this.change(recording, { engineIds: [...recording.engineIds, engineId] });
    } catch (error) {
      logger.warn({ err: error, sid: recording.sid }, 'no recorder accepted the second attempt');
      await this.fail(recording, reason);
    }
  }

  /** From now on the events of this attempt apply, and those of the previous attempt no longer do. */
  private recordAttempt(recording: RecordingEntity, id: string): Promise<void> {
    const now = this.clock.wall();
    return this.change(recording, {
      engineIds: [...recording.engineIds, id],
      attemptedAt: now,
      missingSince: null,
      lookAt: new Date(now.getTime() + STARTING_MS),
    });
  }

  private async failIfEndless(recording: RecordingEntity): Promise<void> {
    const since = recording.endedAt ?? recording.activeAt ?? recording.requestedAt;
    if (recording.status !== 'ENDING' || this.clock.wall().getTime() - since.getTime() < ENDING_TIMEOUT_MS) return;
    await this.fail(recording, 'The recorder did not finish the file');
  }

  private async fail(recording: RecordingEntity, reason: string): Promise<void> {
    const failed = await this.recordings.transaction(async (tx) => {
      const row = await this.recordings.lock(tx, recording.recordingKey);
      if (!row || row.status !== recording.status) return undefined;
      return this.recordings.change(tx, row, {
        status: 'FAILED',
        reason,
        endedAt: row.endedAt ?? this.clock.wall(),
        lookAt: null,
        missingSince: null,
      });
    });
    if (failed) await this.statusNotifier.notify(failed);
  }

  /** Changes the row only if its status has not changed since we read it; otherwise our change is no longer needed. */
  private async change(recording: RecordingEntity, change: RecordingChange): Promise<void> {
    await this.recordings.transaction(async (tx) => {
      const row = await this.recordings.lock(tx, recording.recordingKey);
      if (row?.status === recording.status) await this.recordings.change(tx, row, change);
    });
  }
}
