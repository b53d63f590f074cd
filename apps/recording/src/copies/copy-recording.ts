import { Injectable } from '@nestjs/common';
import type { CopyError } from '@classroom/contracts';
import { Clock, failpoint, Lease, LeaseLost, linkTo, logger, Outbound } from '@classroom/platform';
import { BucketFailure, ObjectStorage, WriteOnlyBucket } from '@classroom/storage';
import { metrics } from '@opentelemetry/api';
import { mediaTypeOf, recordingIdOf, startedAtOf } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import type { RecordingBucketEntity } from '../schema/recording-bucket.entity.js';
import type { RecordingCopyEntity } from '../schema/recording-copy.entity.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { BucketSecrets } from './buckets.js';
import { BucketsRepository } from './buckets.repository.js';
import { CopiesRepository } from './copies.repository.js';
import { FileFailure, transferFile, type Transferred } from './transfer-file.js';

/** Milliseconds for which a worker has a copy after its last part. */
export const LEASE_MS = 180_000;
/** A bucket that takes less than this is too slow: its copies would hold the workers. */
const MIN_BYTES_PER_SECOND = 256 * 1024;
const MIN_ATTEMPT_MS = 600_000;
/** Milliseconds until a failed copy is tried again, and for which it is tried again. */
const MIN_DELAY_MS = 30_000;
const MAX_DELAY_MS = 3_600_000;
const RETRY_MS = 7 * 24 * 3_600_000;

const attempts = metrics.getMeter('virtual-classroom').createCounter('classroom_recording_copy_attempts_total', {
  description: 'Attempts to copy a recording to the bucket of its organization, by outcome: copied, or why it failed',
});

interface Attempt {
  copy: RecordingCopyEntity;
  recording: RecordingEntity;
  settings: RecordingBucketEntity;
}

/** The key that was stored is not readable with any secret of the installation. */
class KeyUnreadable extends Error {}

/** Copies the file of a recording to the bucket of its organization. A repeated attempt writes the same objects again. */
@Injectable()
export class CopyRecording {
  constructor(
    private readonly copies: CopiesRepository,
    private readonly buckets: BucketsRepository,
    private readonly recordings: RecordingsRepository,
    private readonly secrets: BucketSecrets,
    private readonly storage: ObjectStorage,
    private readonly outbound: Outbound,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signal at shutdown, because a copy can take longer than a process may drain: it ends after its current part, and another worker begins it
   * again
   */
  async execute(recordingKey: string, signal: AbortSignal): Promise<void> {
    // A job that was taken while the process began to shut down: its claim would keep other workers from it for the time of a lease.
    if (signal.aborted) return this.copies.release(recordingKey, null);
    const attempt = await this.begin(recordingKey);
    if (!attempt) return;
    const { copy, recording, settings } = attempt;
    try {
      const lease = new Lease('recording-copy-lease', { ms: LEASE_MS }, () =>
        this.copies.extend(recordingKey, copy.attempts, this.leaseEnd()),
      );
      const transferred = await lease.during(() => this.transfer(attempt, lease, signal));
      await failpoint('recording.copy.before-commit');
      await this.settle(attempt, transferred);
    } catch (error) {
      // Another attempt has begun, the class is erased, the setting has changed, or the process shuts down.
      if (error instanceof LeaseLost || signal.aborted) return this.copies.release(recordingKey, copy.attempts);
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      logger.warn({ recordingKey, organizationId: settings.organizationId, reason }, 'a recording could not be copied');
      attempts.add(1, { outcome: reason });
      await this.postpone(recording, copy, settings, reason);
    }
  }

  private async begin(recordingKey: string): Promise<Attempt | undefined> {
    const copy = await this.copies.beginAttempt(recordingKey, this.leaseEnd());
    if (!copy) return undefined;
    const [settings, recording] = await Promise.all([this.buckets.find(copy.organizationId), this.recordings.find(recordingKey)]);
    linkTo(recording?.trace);
    if (settings && recording?.objectKey && !recording.deletedAt) return { copy, settings, recording };
    if (recording) {
      const reason = settings ? 'file-missing' : 'bucket-removed';
      await this.recordings.transaction((tx) => this.copies.giveUp(tx, recording, this.clock.now(), reason, reason));
    }
    return undefined;
  }

  private async transfer({ copy, recording, settings }: Attempt, lease: Lease, signal: AbortSignal): Promise<Transferred> {
    const { recordingKey, attempts: number } = copy;
    const secretAccessKey = this.secrets.open(settings);
    if (secretAccessKey === undefined) throw new KeyUnreadable();
    const { endpoint, region, bucket: name, accessKeyId, forcePathStyle } = settings;
    const bucket = new WriteOnlyBucket({ endpoint, region, bucket: name, accessKeyId, secretAccessKey, forcePathStyle }, this.outbound);
    const { extension, contentType } = mediaTypeOf(recording);
    const key = `${keyOf(settings.prefix, recording)}.${extension}`;
    const tooSlow = performance.now() + Math.max(MIN_ATTEMPT_MS, ((recording.size ?? 0) / MIN_BYTES_PER_SECOND) * 1_000);
    try {
      // Parts that a killed worker left. If the bucket has changed meanwhile, it does not know them.
      if (copy.uploadKey !== null && copy.uploadId !== null) await bucket.abort(copy.uploadKey, copy.uploadId);
      const beforeStep = async () => {
        await lease.confirm();
        signal.throwIfAborted();
        if (performance.now() > tooSlow) throw new BucketFailure('unreachable');
      };
      const transferred = await transferFile({
        storage: this.storage,
        objectKey: recording.objectKey ?? '',
        bucket,
        key,
        contentType,
        onUpload: async (uploadId) => {
          if (!(await this.copies.saveUpload(recordingKey, number, key, uploadId))) throw new LeaseLost('another attempt has begun');
          await beforeStep();
        },
        onStep: beforeStep,
      });
      await bucket.put(`${keyOf(settings.prefix, recording)}.json`, sidecarOf(recording, key, transferred), 'application/json');
      return transferred;
    } finally {
      bucket.close();
    }
  }

  private async settle({ copy, recording, settings }: Attempt, { size, sha256 }: Transferred): Promise<void> {
    const now = this.clock.now();
    const copied = {
      bucket: settings.bucket,
      key: `${keyOf(settings.prefix, recording)}.${mediaTypeOf(recording).extension}`,
      size,
      sha256,
      copiedAt: now.toISOString(),
    };
    const isSettled = await this.recordings.transaction(async (tx) => {
      if (!(await this.copies.complete(tx, recording, copy.attempts, copied))) return false;
      await this.buckets.noteSuccess(tx, settings, now);
      await this.copies.hasten(tx, settings.organizationId, now);
      return true;
    });
    if (isSettled) attempts.add(1, { outcome: 'copied' });
  }

  private async postpone(
    recording: RecordingEntity,
    copy: RecordingCopyEntity,
    settings: RecordingBucketEntity,
    reason: CopyError,
  ): Promise<void> {
    const now = this.clock.now();
    const next = reason === 'file-missing' ? null : nextAttempt(copy.requestedAt, now);
    await this.recordings.transaction(async (tx) => {
      if (!(await this.copies.postpone(tx, copy.recordingKey, copy.attempts, reason, next ?? now))) return;
      if (!isAboutFile(reason)) await this.buckets.noteFailure(tx, settings, now, reason);
      if (next === null) await this.copies.giveUp(tx, recording, now, reason, reason);
    });
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }
}

const isAboutFile = (reason: CopyError) => reason === 'file-missing' || reason === 'file-unavailable';

/** Undefined for an error that is neither the bucket's nor the file's, such as one of the database. */
function reasonOf(error: unknown): CopyError | undefined {
  if (error instanceof FileFailure || error instanceof BucketFailure) return error.reason;
  return error instanceof KeyUnreadable ? 'key-unreadable' : undefined;
}

/**
 * When a failed copy is tried again: after half of the time since it was requested, 30 seconds to an hour. Null: it is given up, a week
 * after it was requested.
 */
export function nextAttempt(requestedAt: Date, now: Date): Date | null {
  const elapsed = now.getTime() - requestedAt.getTime();
  if (elapsed >= RETRY_MS) return null;
  return new Date(now.getTime() + Math.min(Math.max(elapsed / 2, MIN_DELAY_MS), MAX_DELAY_MS));
}

/** Key of a recording's file in a bucket, without its extension. It is the same for every attempt. */
const keyOf = (prefix: string, recording: Pick<RecordingEntity, 'roomId' | 'egressId'>) =>
  [prefix, recording.roomId, recordingIdOf(recording)].filter(Boolean).join('/');

/** What is stored next to the file, as JSON. */
function sidecarOf(recording: RecordingEntity, key: string, { size, sha256 }: Transferred): Buffer {
  const { roomId, sid, title, fileName, duration, endedAt, completedAt } = recording;
  const { extension, contentType } = mediaTypeOf(recording);
  const metadata = {
    recordingId: recordingIdOf(recording),
    roomId,
    sid,
    title,
    key,
    filename: fileName ?? `recording.${extension}`,
    contentType,
    size,
    sha256,
    duration,
    startedAt: startedAtOf(recording).toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
  return Buffer.from(`${JSON.stringify(metadata, null, 2)}\n`);
}
