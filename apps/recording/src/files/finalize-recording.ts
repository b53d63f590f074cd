import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { Clock, failpoint, InBackground, observedGauge } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { egressFinalization, retentionDeletion, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import { CopiesRepository } from '../copies/copies.repository.js';
import { fileNameOf, objectKeyOf } from '../recordings/recording.js';
import { RecordingsRepository, type RecordingChange } from '../recordings/recordings.repository.js';
import { RoomStatusNotifier } from '../recordings/room-status-notifier.js';
import { RoomsRepository } from '../recordings/rooms.repository.js';
import { COPY_WAIT_MS, DeleteFiles } from '../retention/delete-files.js';
import { RetentionRule } from '../retention/retention-rule.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

/** Reads the bytes `start` to `end` (included) of a file. */
export type ReadRange = (start: number, end: number) => Promise<Buffer>;

const HEADER_BYTES = 16;
const MAX_BOXES = 10_000;

/**
 * The duration in seconds that an MP4 file of `size` bytes itself states (`moov/mvhd`, ISO/IEC 14496-12). Reads a few headers
 * and never the media. Undefined if the file states none: then it was cut off.
 */
export async function mp4Duration(read: ReadRange, size: number): Promise<number | undefined> {
  const moov = await find(read, 'moov', 0, size);
  const mvhd = moov && (await find(read, 'mvhd', moov.start, moov.end));
  if (!mvhd) return undefined;
  const body = await read(mvhd.start, Math.min(mvhd.start + 31, mvhd.end - 1));
  // Version 1 has 64-bit times.
  const [timescaleAt, durationAt, end] = body[0] === 1 ? [20, 24, 32] : [12, 16, 20];
  if (body.length < end) return undefined;
  const timescale = body.readUInt32BE(timescaleAt);
  const duration = body[0] === 1 ? Number(body.readBigUInt64BE(durationAt)) : body.readUInt32BE(durationAt);
  return timescale > 0 && duration > 0 ? duration / timescale : undefined;
}

/** Start and end of the body of the first box of that type between two offsets; undefined if there is none. */
async function find(read: ReadRange, type: string, from: number, to: number): Promise<{ start: number; end: number } | undefined> {
  let at = from;
  for (let boxes = 0; boxes < MAX_BOXES && at + 8 <= to; boxes++) {
    const header = await read(at, Math.min(at + HEADER_BYTES, to) - 1);
    const short = header.readUInt32BE(0);
    // 1: the size follows as 64 bits; 0: up to the end of the file.
    const size = short === 1 && header.length === HEADER_BYTES ? Number(header.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    const headerSize = short === 1 ? 16 : 8;
    if (size < headerSize) return undefined;
    if (header.toString('latin1', 4, 8) === type) return { start: at + headerSize, end: Math.min(at + size, to) };
    at += size;
  }
  return undefined;
}

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

const BATCH = 200;
const PARALLEL = 4;
/** Milliseconds after which a finalization that failed or was lost is due again. */
const RETRY_DELAY_MS = 5_000;

/** Rows hold when a recording is finalized and when its files are deleted. */
@Injectable()
export class DueRecordings {
  @InBackground() private readonly finalization: DueWork<JobData<typeof egressFinalization>>;
  @InBackground() private readonly deletion: DueWork<JobData<typeof retentionDeletion>>;

  constructor(dueWorks: DueWorks, recordings: RecordingsRepository, finalizeRecording: FinalizeRecording, deleteFiles: DeleteFiles) {
    const unawaited = (now: Date) => new Date(now.getTime() - COPY_WAIT_MS);
    this.finalization = dueWorks.declareQueued(egressFinalization, {
      isByWallTime: true,
      claim: async (now, limit) => {
        const finished = await recordings.claimFinalizations(now, new Date(now.getTime() + RETRY_DELAY_MS), limit);
        return finished.map(({ recordingKey }) => ({ recordingKey }));
      },
      run: ({ recordingKey }) => finalizeRecording.execute(recordingKey),
      parallel: PARALLEL,
      batch: BATCH,
      dueSince: () => recordings.findOldestUnfinalized(),
    });
    this.deletion = dueWorks.declareQueued(retentionDeletion, {
      find: (now, limit) => recordings.findDueForDeletion(now, unawaited(now), limit),
      run: ({ recordingKey }) => deleteFiles.execute(recordingKey),
      parallel: PARALLEL,
      batch: BATCH,
      dueSince: (now) => recordings.findOldestUndeleted(unawaited(now)),
    });
  }
}

const STATUSES: RecordingEntity['status'][] = ['REQUESTED', 'REFUSED', 'STARTING', 'ACTIVE', 'ENDING', 'COMPLETED', 'FAILED', 'ABORTED'];

/** How many recordings are in each status, from their rows. */
@Injectable()
export class RecordingGauges {
  constructor(private readonly recordings: RecordingsRepository) {
    observedGauge('classroom_recording_recordings', 'Recordings that run or whose file is kept, by status', () => this.byStatus());
  }

  private async byStatus() {
    const counts = new Map((await this.recordings.countByStatus()).map(({ status, count }) => [status, count]));
    // Every status, because a series that is not observed keeps its last value.
    return STATUSES.map((status) => ({ value: counts.get(status) ?? 0, attributes: { status } }));
  }
}
