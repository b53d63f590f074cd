import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  deleteRecordingBucket,
  getRecordingBucket,
  invalidField,
  setRecordingBucket,
  type RecordingBucketShown,
  type RpcInput,
  type SetRecordingBucketBody,
} from '@classroom/contracts';
import {
  ADDRESS_REASONS,
  AddressRefused,
  Clock,
  CONFIG,
  InBackground,
  Outbound,
  requireAllowedAddress,
  Resealing,
  SecretCipher,
  within,
} from '@classroom/platform';
import { Handles } from '@classroom/messaging';
import { BucketFailure, WriteOnlyBucket, type BucketRefusal } from '@classroom/storage';
import type { RecordingConfig } from '../config.js';
import type { RecordingBucketEntity } from '../schema/recording-bucket.entity.js';
import { BucketsRepository } from './buckets.repository.js';
import { CopiesRepository } from './copies.repository.js';

/** Seals the secrets of buckets' keys. What was sealed for one organization can't be opened for another. */
const bucketCipher = (secrets: readonly [string, ...string[]]) => new SecretCipher('classroom/recording/bucket-keys/v1', secrets);

/** Seals and opens the secrets of buckets' keys, and seals them again while RECORDING_KEY_SECRET is rotated. */
@Injectable()
export class BucketSecrets {
  @InBackground() readonly resealing: Resealing<{ organizationId: string; sealedSecret: string }> | undefined;
  private readonly cipher: SecretCipher | undefined;

  constructor(
    @Inject(CONFIG) { RECORDING_KEY_SECRET }: Pick<RecordingConfig, 'RECORDING_KEY_SECRET'>,
    private readonly buckets: BucketsRepository,
  ) {
    if (!RECORDING_KEY_SECRET) return;
    this.cipher = bucketCipher(RECORDING_KEY_SECRET);
    this.resealing = new Resealing('bucket-keys', RECORDING_KEY_SECRET, {
      page: (last, limit) => this.buckets.listSealed(last?.organizationId ?? '', limit),
      reseal: (row) => this.reseal(row),
    });
  }

  /** @throws AppError RECORDING_BUCKET_REFUSED if the installation has no secret to seal with */
  seal(organizationId: string, secret: string): string {
    if (this.cipher) return this.cipher.seal(organizationId, secret);
    throw new AppError('RECORDING_BUCKET_REFUSED', {
      message: 'This installation stores no keys of buckets: its operator has to set RECORDING_KEY_SECRET',
    });
  }

  /** Undefined if no secret of the installation opens it. */
  open({ organizationId, sealedSecret }: { organizationId: string; sealedSecret: string }): string | undefined {
    try {
      return this.cipher?.open(organizationId, sealedSecret);
    } catch {
      return undefined;
    }
  }

  private async reseal({ organizationId, sealedSecret }: { organizationId: string; sealedSecret: string }): Promise<number> {
    const again = this.cipher?.reseal(organizationId, sealedSecret);
    if (again === undefined) return 0;
    await this.buckets.reseal(organizationId, sealedSecret, again);
    return 1;
  }
}

/** The whole test, with the resolution of the name. */
const TEST_TIMEOUT_MS = 9_000;
const TEST_OBJECT = 'virtual-classroom-test.txt';
const TEST_TEXT = Buffer.from('The virtual classroom can write copies of recordings to this folder.\n');

/** Stores a bucket after a test object was written to it. */
@Injectable()
export class SetBucket {
  constructor(
    private readonly buckets: BucketsRepository,
    private readonly copies: CopiesRepository,
    private readonly secrets: BucketSecrets,
    private readonly outbound: Outbound,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError VALIDATION_FAILED for an address that may not be opened, RECORDING_BUCKET_REFUSED */
  @Handles(setRecordingBucket)
  async execute({ organizationId, secretAccessKey, ...settings }: RpcInput<typeof setRecordingBucket>) {
    const sealedSecret = this.secrets.seal(organizationId, secretAccessKey);
    await this.requireAllowed(settings.endpoint);
    await this.writeTestObject({ ...settings, secretAccessKey });
    const now = this.clock.now();
    await this.buckets.transaction(async (tx) => {
      await this.buckets.save(tx, { organizationId, ...settings, sealedSecret }, now);
      await this.copies.retryAll(tx, organizationId, now);
    });
    const row = await this.buckets.find(organizationId);
    if (!row) throw new AppError('RECORDING_BUCKET_NOT_FOUND');
    return toBucket(row);
  }

  private async requireAllowed(endpoint: string): Promise<void> {
    try {
      await requireAllowedAddress(this.outbound, endpoint);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalidField('endpoint', ADDRESS_REASONS[error.reason], error);
    }
  }

  private async writeTestObject({ prefix, ...destination }: SetRecordingBucketBody): Promise<void> {
    let bucket: WriteOnlyBucket | undefined;
    try {
      bucket = new WriteOnlyBucket(destination, this.outbound, 'test');
      await within(TEST_TIMEOUT_MS, bucket.put([prefix, TEST_OBJECT].filter(Boolean).join('/'), TEST_TEXT, 'text/plain'));
    } catch (error) {
      const { path, message } = REFUSALS[error instanceof BucketFailure ? error.reason : 'unreachable'];
      throw new AppError('RECORDING_BUCKET_REFUSED', { message: `The bucket cannot be used: ${message}`, details: [{ path, message }] });
    } finally {
      bucket?.close();
    }
  }
}

const REFUSALS: Record<BucketRefusal, { path: keyof SetRecordingBucketBody; message: string }> = {
  unreachable: { path: 'endpoint', message: 'the endpoint is unreachable or does not answer as an S3 API' },
  'address-refused': { path: 'endpoint', message: 'the endpoint has no public address' },
  'no-such-bucket': { path: 'bucket', message: 'the bucket does not exist' },
  'wrong-region': { path: 'region', message: 'the bucket is in another region' },
  'access-denied': { path: 'accessKeyId', message: 'access was denied: the key is unknown, or may not write below the prefix' },
  'storage-full': { path: 'bucket', message: 'the storage is full' },
  refused: { path: 'endpoint', message: 'the storage refused the test object' },
};

@Injectable()
export class FindBucket {
  constructor(private readonly buckets: BucketsRepository) {}

  /** @throws AppError RECORDING_BUCKET_NOT_FOUND */
  @Handles(getRecordingBucket)
  async execute({ organizationId }: RpcInput<typeof getRecordingBucket>) {
    const row = await this.buckets.find(organizationId);
    if (!row) throw new AppError('RECORDING_BUCKET_NOT_FOUND');
    return toBucket(row);
  }
}

@Injectable()
export class DeleteBucket {
  constructor(
    private readonly buckets: BucketsRepository,
    private readonly copies: CopiesRepository,
    private readonly clock: Clock,
  ) {}

  /** Gives up the copies that wait. @throws AppError RECORDING_BUCKET_NOT_FOUND */
  @Handles(deleteRecordingBucket)
  async execute({ organizationId }: RpcInput<typeof deleteRecordingBucket>) {
    const now = this.clock.now();
    await this.buckets.transaction(async (tx) => {
      if (!(await this.buckets.remove(tx, organizationId))) throw new AppError('RECORDING_BUCKET_NOT_FOUND');
      await this.copies.giveUpAll(tx, organizationId, 'bucket-removed', now);
    });
    return { deletedAt: now.toISOString() };
  }
}

/** The setting as callers see it, without the secret. */
function toBucket(row: RecordingBucketEntity): RecordingBucketShown {
  const { endpoint, region, bucket, prefix, accessKeyId, forcePathStyle, error, failingSince, lastCopiedAt, setAt } = row;
  return {
    endpoint,
    region,
    bucket,
    prefix,
    accessKeyId,
    forcePathStyle,
    state: failingSince ? 'FAILING' : 'OK',
    error,
    failingSince: failingSince?.toISOString() ?? null,
    lastCopiedAt: lastCopiedAt?.toISOString() ?? null,
    updatedAt: setAt.toISOString(),
  };
}
