import { Injectable } from '@nestjs/common';
import {
  AppError,
  downloadRecordings,
  listRecordings,
  recordingRpc,
  roomRpc,
  type RecordingCopyShown,
  type recordingFile,
  type RecordingStatus,
  type RpcInput,
} from '@classroom/contracts';
import { fitMessage, Handles, RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { z } from 'zod';
import { CopiesRepository } from '../copies/copies.repository.js';
import { durationOf, healthOf, isAudioOnly, isExpired, recordingIdOf, startedAtOf } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { RetentionRule } from '../retention/retention-rule.js';
import type { RecordingCopyEntity } from '../schema/recording-copy.entity.js';
import type { RecordingEntity } from '../schema/recording.entity.js';

/** Of one message. The newest recordings are returned. */
const LIST_BYTES = 900 * 1024;

@Injectable()
export class ListRecordings {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly copies: CopiesRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(listRecordings)
  async execute({ organizationId, roomId }: RpcInput<typeof listRecordings>) {
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const rows = await this.recordings.listByRoom(sid);
    const copies = await this.copies.listOf(rows.map(({ recordingKey }) => recordingKey));
    const shown = rows.map((row) => ({
      recordingId: recordingIdOf(row),
      roomId,
      // A row with a public id is past REQUESTED and was never refused.
      status: row.status as RecordingStatus,
      startedAt: startedAtOf(row).toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
      duration: durationOf(row, this.clock.wall()),
      audioOnly: isAudioOnly(row),
      reason: row.reason,
      health: healthOf(row),
      paused: row.pausedAt !== null,
      availableUntil: availableUntilOf(row),
      mergedFrom: row.mergedFrom.map((egressId) => recordingIdOf({ egressId })),
      copy: toCopy(copies.get(row.recordingKey)),
    }));
    return fitMessage(shown.reverse(), LIST_BYTES).reverse();
  }
}

function availableUntilOf({ status, heldAt, deletedAt, deleteAt }: RecordingEntity): string | null {
  if (status !== 'COMPLETED' || heldAt) return null;
  return (deletedAt ?? deleteAt)?.toISOString() ?? null;
}

/** The copy as callers see it; null if there is none. */
const toCopy = (row: RecordingCopyEntity | undefined): RecordingCopyShown | null =>
  row ? { status: row.status, copiedAt: row.copiedAt?.toISOString() ?? null, key: row.objectKey, error: row.error } : null;

/** Of one message. The newest files are returned. */
const FILES_BYTES = 900 * 1024;
const LINK_TTL_SECONDS = 3_600;
const HOUR_MS = 3_600_000;

@Injectable()
export class DownloadRecordings {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly copies: CopiesRepository,
    private readonly storage: ObjectStorage,
    private readonly retention: RetentionRule,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, RECORDING_IN_PROGRESS, RECORDING_EXPIRED */
  @Handles(downloadRecordings)
  async execute({ organizationId, roomId }: RpcInput<typeof downloadRecordings>) {
    const room = await this.rpc.call(roomRpc.describe, { organizationId, roomId }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'ROOM_NOT_FOUND') throw error;
      throw new AppError('ROOM_NOT_FOUND', { message: 'Classroom not found' });
    });
    if (room.state !== 'finished' || !room.endedAt) throw new AppError('RECORDING_IN_PROGRESS');
    const endedAt = new Date(room.endedAt);
    const now = this.clock.now();
    const rows = await this.recordings.listByRoom(room.sid);
    const completed = rows.filter(({ status }) => status === 'COMPLETED');
    const retentionEndsAt = await this.retention.deleteAt(organizationId, endedAt, null);
    const kept = completed.map((row) => ({ row, until: deletionTimeOf(row, retentionEndsAt, now) }));
    const available = kept.filter(({ row, until }) => row.deletedAt === null && until > now);
    if (available.length === 0) {
      if (rows.some(({ status }) => ['STARTING', 'ACTIVE', 'ENDING'].includes(status))) throw new AppError('RECORDING_IN_PROGRESS');
      if (completed.length > 0 || retentionEndsAt <= now) throw new AppError('RECORDING_EXPIRED');
    }
    const firstDeletion = available.map(({ until }) => until.getTime()).sort((a, b) => a - b)[0];
    const availableUntil = new Date(firstDeletion ?? retentionEndsAt);
    const copies = await this.copies.listOf(available.map(({ row }) => row.recordingKey));
    const toFile = async ({ row, until }: (typeof available)[number]) => ({
      ...(await this.toFile(row, until, now)),
      copy: toCopy(copies.get(row.recordingKey)),
    });
    return {
      roomId,
      files: fitMessage((await Promise.all(available.map(toFile))).reverse(), FILES_BYTES).reverse(),
      expiresIn: hoursAndMinutes(Math.max(0, availableUntil.getTime() - now.getTime())),
      availableUntil: availableUntil.toISOString(),
    };
  }

  private async toFile(row: RecordingEntity, until: Date, now: Date): Promise<Omit<z.infer<typeof recordingFile>, 'copy'>> {
    const filename = row.fileName ?? 'recording.mp4';
    const left = Math.floor((until.getTime() - now.getTime()) / 1000);
    const expiresIn = Math.max(1, Math.min(LINK_TTL_SECONDS, left));
    const at = this.clock.wall();
    return {
      recordingId: recordingIdOf(row),
      filename,
      downloadUrl: await this.storage.presignGet(row.objectKey ?? '', { expiresIn, downloadName: filename, at }),
      urlExpiresAt: new Date(at.getTime() + expiresIn * 1000).toISOString(),
      size: row.size ?? 0,
      duration: row.duration ?? 0,
      startedAt: startedAtOf(row).toISOString(),
      endedAt: (row.endedAt ?? row.requestedAt).toISOString(),
      audioOnly: isAudioOnly(row),
      reason: row.reason,
      health: healthOf(row),
      mergedFrom: row.mergedFrom.map((egressId) => recordingIdOf({ egressId })),
    };
  }
}

/** A file on hold is never due: it is available for another hour, whenever it is asked for. */
function deletionTimeOf({ deleteAt, completedAt, heldAt }: RecordingEntity, retentionEndsAt: Date, now: Date): Date {
  const due = deleteAt ?? new Date(Math.max(retentionEndsAt.getTime(), (completedAt?.getTime() ?? 0) + HOUR_MS));
  return heldAt ? new Date(Math.max(due.getTime(), now.getTime() + HOUR_MS)) : due;
}

/** `5h 42m`, whole minutes rounded down. */
function hoursAndMinutes(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

@Injectable()
export class LocateFile {
  constructor(
    private readonly recordings: RecordingsRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, RECORDING_NOT_FOUND (also if it failed), RECORDING_IN_PROGRESS, RECORDING_EXPIRED */
  @Handles(recordingRpc.file)
  async execute({ organizationId, roomId, recordingId }: RpcInput<typeof recordingRpc.file>) {
    const { sid } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    const rows = await this.recordings.listByRoom(sid);
    const row = rows.find((one) => recordingIdOf(one) === recordingId);
    if (!row || row.status === 'FAILED' || row.status === 'ABORTED') throw new AppError('RECORDING_NOT_FOUND');
    if (row.status !== 'COMPLETED' || !row.objectKey) throw new AppError('RECORDING_IN_PROGRESS');
    if (isExpired(row, this.clock.now())) throw new AppError('RECORDING_EXPIRED');
    const { objectKey, fileName, title, size, duration } = row;
    return { objectKey, fileName: fileName ?? 'recording.mp4', title, size: size ?? 0, duration: duration ?? 0 };
  }
}
