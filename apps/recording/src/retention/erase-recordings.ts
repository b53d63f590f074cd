import { Inject, Injectable } from '@nestjs/common';
import type { JetStreamClient } from '@nats-io/jetstream';
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
