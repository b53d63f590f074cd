import { Injectable } from '@nestjs/common';
import { Clock, failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { CopiesRepository } from '../copies/copies.repository.js';
import { ERASED_ENGINE_ID, isDue, objectKeyOf, prefixOf } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

const DAY_MS = 86_400_000;
/** For how long a file is kept after its retention for a copy that waits. */
export const COPY_WAIT_MS = DAY_MS;

/** Whether a file of the recording may be in the storage that was never inspected: a recorder uploads for a day, and reports it afterwards. */
const isFileAwaited = ({ status, size, egressId, engineIds }: RecordingEntity) =>
  status === 'FAILED' && size === null && egressId !== null && engineIds.at(-1) !== ERASED_ENGINE_ID;

/** The file of a FAILED recording wins over the deletion of what the recording has left. */
@Injectable()
export class LateFile {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Has a file that was not inspected yet finalized. @returns whether the recording has one @throws AppError SERVICE_UNAVAILABLE */
  async accept(recording: RecordingEntity): Promise<boolean> {
    if (!isFileAwaited(recording)) return false;
    const objectKey = recording.objectKey ?? objectKeyOf(recording, recording.engineIds.length);
    if (!(await this.storage.head(objectKey))) return false;
    await this.recordings.transaction(async (tx) => {
      const row = await this.recordings.lock(tx, recording.recordingKey);
      if (row && isFileAwaited(row))
        await this.recordings.change(tx, row, { status: 'ENDING', objectKey, finalizeAt: this.clock.wall(), deletedAt: null });
    });
    return true;
  }
}

/**
 * Deletes everything of a recording in the bucket, by prefix and including unfinished uploads, and again a day later for late
 * uploads. The row remains. A file whose copy waits is kept for another day.
 */
@Injectable()
export class DeleteFiles {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly copies: CopiesRepository,
    private readonly storage: ObjectStorage,
    private readonly lateFile: LateFile,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. @throws AppError SERVICE_UNAVAILABLE if the storage is unreachable: a later call retries */
  async execute(recordingKey: string): Promise<void> {
    const due = await this.lockDue(recordingKey);
    if (!due || (await this.lateFile.accept(due))) return;
    await failpoint('recording.delete.before-storage');
    await this.storage.deletePrefix(prefixOf(due));
    await this.storage.abortUploads(prefixOf(due));
    await failpoint('recording.delete.before-commit');
    const now = this.clock.now();
    await this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      // A file that has arrived meanwhile is finalized.
      if (recording?.status !== due.status) return;
      const isFirst = recording.deletedAt === null;
      const change = isFirst ? { deletedAt: now, deleteAt: new Date(now.getTime() + DAY_MS) } : { deleteAt: null };
      await this.recordings.change(tx, recording, change);
    });
  }

  private lockDue(recordingKey: string): Promise<RecordingEntity | undefined> {
    return this.recordings.transaction(async (tx) => {
      const recording = await this.recordings.lock(tx, recordingKey);
      const now = this.clock.now();
      if (!recording || !isDue(recording, now)) return undefined;
      const isCopyAwaited = recording.deletedAt === null && (await this.copies.isPending(tx, recordingKey));
      if (isCopyAwaited && recording.deleteAt && recording.deleteAt.getTime() + COPY_WAIT_MS > now.getTime()) return undefined;
      await this.copies.giveUp(tx, recording, now, undefined, 'retention-ended');
      return recording;
    });
  }
}
