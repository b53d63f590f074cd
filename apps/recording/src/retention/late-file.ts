import { Injectable } from '@nestjs/common';
import { Clock } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { ERASED_ENGINE_ID } from '../recordings/recording.js';
import { objectKeyOf } from '../recordings/recording-file.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

/** Whether a file of the recording may be in the storage that was never inspected: a recorder uploads for a day, and reports it afterwards. */
const isAwaited = ({ status, size, egressId, engineIds }: RecordingEntity) =>
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
    if (!isAwaited(recording)) return false;
    const objectKey = recording.objectKey ?? objectKeyOf(recording, recording.engineIds.length);
    if (!(await this.storage.head(objectKey))) return false;
    await this.recordings.transaction(async (tx) => {
      const row = await this.recordings.lock(tx, recording.recordingKey);
      if (row && isAwaited(row))
        await this.recordings.change(tx, row, { status: 'ENDING', objectKey, finalizeAt: this.clock.wall(), deletedAt: null });
    });
    return true;
  }
}
