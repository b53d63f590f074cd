import type { RecordingBucketShown } from '@classroom/contracts';
import type { RecordingBucketEntity } from '../schema/recording-bucket.entity.js';

/** The setting as callers see it, without the secret. */
export function toBucket(row: RecordingBucketEntity): RecordingBucketShown {
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
