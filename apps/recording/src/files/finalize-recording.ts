import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { Clock, failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { CopiesRepository } from '../copies/copies.repository.js';
import { fileNameOf, objectKeyOf } from '../recordings/recording-file.js';
import { RecordingsRepository, type RecordingChange } from '../recordings/recordings.repository.js';
import { RoomStatusNotifier } from '../recordings/room-status-notifier.js';
import { RoomsRepository } from '../recordings/rooms.repository.js';
import { RetentionRule } from '../retention/retention-rule.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { mp4Duration } from './mp4-duration.js';

/** How often to look for a file that the engine reported as uploaded and that the storage does not show yet. */
const MAX_ATTEMPTS = 6;

/**
 * Finalizes a recording whose file the engine reported: finds the file's size and its own duration, names it, and marks the
 * recording COMPLETED.
 */
@Injectable()
export class FinalizeRecording {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly recordings: RecordingsRepository,
    private readonly copies: CopiesRepository,
    private readonly storage: ObjectStorage,
    private readonly retention: RetentionRule,
    private readonly statusNotifier: RoomStatusNotifier,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. @throws AppError SERVICE_UNAVAILABLE if the storage is unreachable: a later call retries */
  async execute(recordingKey: string): Promise<void> {
    const recording = await this.beginAttempt(recordingKey);
    if (!recording) return;
    await failpoint('recording.finalize.before-storage');
    const outcome = await this.inspectFile(recording);
    if (!outcome) return;
    await failpoint('recording.finalize.before-commit');
    const finished = await this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      if (recording?.status !== 'ENDING') return undefined;
      const completedAt = this.clock.now();
      const endedAt = recording.classEndedAt ?? (await this.rooms.findEndedAt(recording.sid, tx));
      const deleteAt = endedAt ? await this.retention.deleteAt(recording.organizationId, endedAt, completedAt, tx) : null;
      const change = { ...outcome, completedAt, classEndedAt: endedAt, deleteAt, finalizeAt: null };
      const changed = await this.recordings.change(tx, recording, change);
      if (changed.status === 'COMPLETED') await this.copies.request(tx, changed, completedAt);
      return changed;
    });
    if (finished) await this.statusNotifier.notify(finished);
  }

  private beginAttempt(recordingKey: string): Promise<RecordingEntity | undefined> {
    return this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      if (recording?.status !== 'ENDING') return undefined;
      return this.recordings.change(tx, recording, { finalizeTries: recording.finalizeTries + 1 });
    });
  }

  /** Undefined if the file is to be looked for again. */
  private async inspectFile(recording: RecordingEntity): Promise<RecordingChange | undefined> {
    const objectKey = recording.objectKey ?? objectKeyOf(recording, recording.engineIds.length);
    const head = await this.storage.head(objectKey);
    if (!head) {
      if (recording.finalizeTries < MAX_ATTEMPTS) return undefined;
      return { status: 'FAILED', reason: 'The recorder said that the file is there, and it is not' };
    }
    const seconds = await mp4Duration(async (start, end) => buffer(await this.storage.read(objectKey, { start, end })), head.size);
    if (seconds === undefined)
      return { status: 'FAILED', size: head.size, reason: 'The file can’t be played: it says nothing of its length' };
    return { status: 'COMPLETED', objectKey, size: head.size, duration: Math.round(seconds), fileName: fileNameOf(recording) };
  }
}
