import { Injectable } from '@nestjs/common';
import { ERASURE_KEPT_COPIES, erasureRpc, type ErasureOutcome, type ErasureRequest } from '@classroom/contracts';
import { applyErasure, Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';

/**
 * Deletes the recordings of a class now, except those on a legal hold. Of a person alone nothing is deleted: a recording shows the whole class, and
 * is deleted by its age.
 */
@Injectable()
export class EraseRecordings {
  constructor(
    private readonly database: Database,
    private readonly recordings: RecordingsRepository,
    private readonly copies: CopiesRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(erasureRpc.recording)
  execute(request: ErasureRequest): Promise<ErasureOutcome> {
    return applyErasure(this.database, request, (tx) => this.erase(tx, request));
  }

  private async erase(tx: Transaction, { organizationId, subject }: ErasureRequest): Promise<ErasureOutcome> {
    if (!('roomId' in subject)) return { isComplete: true, counts: {} };
    const all = await this.recordings.lockByRoomId(tx, organizationId, subject.roomId);
    const free = all.filter(({ heldAt }) => heldAt === null);
    const now = this.clock.now();
    const keys = free.map(({ recordingKey }) => recordingKey);
    await this.copies.erase(tx, organizationId, keys, now);
    for (const recording of free) {
      await this.recordings.forgetTitle(tx, recording.recordingKey);
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
