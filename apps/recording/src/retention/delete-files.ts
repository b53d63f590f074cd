import { Inject, Injectable } from '@nestjs/common';
import {
  closingRpc,
  CONSUMERS,
  ERASURE_KEPT_COPIES,
  erasureRpc,
  type ErasureOutcome,
  type ErasureRequest,
  type RpcInput,
} from '@classroom/contracts';
import { applyErasure, eraseOrganization, Handles, isReadThrough, JETSTREAM } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { JetStreamClient } from '@nats-io/jetstream';
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

/**
 * Deletes the recordings of a class now, except those on a legal hold. Of a person alone nothing is deleted: a recording shows the whole class, and
 * is deleted by its age.
 */
@Injectable()
export class EraseRecordings {
  constructor(
    private readonly database: Database,
    private readonly recordings: RecordingsRepository,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
    private readonly copies: CopiesRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(closingRpc.countHolds)
  async countHolds({ organizationId }: RpcInput<typeof closingRpc.countHolds>) {
    return { holds: await this.recordings.countHolds(organizationId) };
  }

  @Handles(closingRpc.endHolds)
  async endHolds({ organizationId }: RpcInput<typeof closingRpc.endHolds>) {
    return { ended: await this.recordings.endHolds(organizationId) };
  }

  @Handles(erasureRpc.recording)
  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    if ('organization' in request.subject) return this.eraseAll(request);
    if (!(await isReadThrough(this.jetstream, CONSUMERS.recordingRooms, request.readThrough))) return { isComplete: false, counts: {} };
    return applyErasure(this.database, request, (tx) => this.erase(tx, request));
  }

  /** The rows are needed until the files are deleted. */
  private async eraseAll(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, readThrough } = request;
    const now = this.clock.now();
    // The deletion of a file waits for its copy.
    await this.database.transaction((tx) => this.copies.giveUpAll(tx, organizationId, 'erased', now));
    await this.recordings.deleteSoon(organizationId, now);
    const areFilesLeft = await this.recordings.hasUndeleted(organizationId);
    if (areFilesLeft || !(await isReadThrough(this.jetstream, CONSUMERS.recordingRooms, readThrough)))
      return { isComplete: false, counts: {} };
    const outcome = await applyErasure(this.database, request, async (tx) => ({
      isComplete: false,
      counts: { [ERASURE_KEPT_COPIES]: await this.copies.removeOf(tx, organizationId) },
    }));
    return outcome.isComplete ? outcome : eraseOrganization(this.database, request);
  }

  private async erase(tx: Transaction, { organizationId, subject }: ErasureRequest): Promise<ErasureOutcome> {
    if (!('roomId' in subject)) return { isComplete: true, counts: {} };
    const all = await this.recordings.lockByRoomId(tx, organizationId, subject.roomId);
    const free = all.filter(({ heldAt }) => heldAt === null);
    const now = this.clock.now();
    const keys = free.map(({ recordingKey }) => recordingKey);
    await this.copies.erase(tx, organizationId, keys, now);
    for (const recording of free) {
      await this.recordings.forget(tx, recording.recordingKey);
      const { deletedAt, classEndedAt, deleteAt } = recording;
      if (deletedAt === null && classEndedAt !== null && (deleteAt === null || deleteAt > now)) {
        await this.recordings.change(tx, recording, { deleteAt: now });
      }
    }
    // Asked again until the files are deleted, so that the counts are of what happened.
    const isComplete = free.every(({ deletedAt }) => deletedAt !== null);
    if (!isComplete) return { isComplete, counts: {} };
    const copied = await this.copies.countExisting(tx, keys);
    return {
      isComplete,
      counts: {
        recordings: free.length,
        'recordings on legal hold, kept': all.length - free.length,
        ...(copied > 0 ? { [ERASURE_KEPT_COPIES]: copied } : {}),
      },
    };
  }
}
