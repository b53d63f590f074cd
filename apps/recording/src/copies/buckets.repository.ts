import { Injectable } from '@nestjs/common';
import type { CopyError } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { RecordingBucketEntity } from '../schema/recording-bucket.entity.js';
import { sql } from '../schema/sql.js';

export type NewBucket = Pick<
  RecordingBucketEntity,
  'organizationId' | 'endpoint' | 'region' | 'bucket' | 'prefix' | 'accessKeyId' | 'sealedSecret' | 'forcePathStyle'
>;

const save = sql(
  'buckets.save',
  `INSERT INTO recording_buckets (organization_id, endpoint, region, bucket, prefix, access_key_id, sealed_secret, force_path_style,
                                  version, created_at, set_at)
   VALUES (:organizationId, :endpoint, :region, :bucket, :prefix, :accessKeyId, :sealedSecret, :forcePathStyle, 1, :now, :now)
   ON CONFLICT (organization_id) DO UPDATE
      SET endpoint = :endpoint, region = :region, bucket = :bucket, prefix = :prefix, access_key_id = :accessKeyId,
          sealed_secret = :sealedSecret, force_path_style = :forcePathStyle, version = recording_buckets.version + 1, set_at = :now, failing_since = NULL, error = NULL`,
);

const remove = sql('buckets.remove', 'DELETE FROM recording_buckets WHERE organization_id = $1 RETURNING 1');

const noteSuccess = sql(
  'buckets.noteSuccess',
  `UPDATE recording_buckets SET failing_since = NULL, error = NULL, last_copied_at = $3 WHERE organization_id = $1 AND version = $2`,
);

const noteFailure = sql(
  'buckets.noteFailure',
  `UPDATE recording_buckets SET failing_since = coalesce(failing_since, $3), error = $4 WHERE organization_id = $1 AND version = $2`,
);

const listSealed = sql(
  'buckets.listSealed',
  `SELECT organization_id AS "organizationId", sealed_secret AS "sealedSecret" FROM recording_buckets
    WHERE organization_id > $1 ORDER BY organization_id LIMIT $2`,
);

const reseal = sql('buckets.reseal', 'UPDATE recording_buckets SET sealed_secret = $3 WHERE organization_id = $1 AND sealed_secret = $2');

/** The only writer of `recording_buckets`. */
@Injectable()
export class BucketsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<RecordingBucketEntity | null> {
    return this.database.manager.findOneBy(RecordingBucketEntity, { organizationId });
  }

  async save(tx: Transaction, bucket: NewBucket, now: Date): Promise<void> {
    await tx.run(save, { ...bucket, now });
  }

  /** False if there was none. */
  async remove(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.run(remove, organizationId)).length === 1;
  }

  async noteSuccess(tx: Transaction, { organizationId, version }: RecordingBucketEntity, at: Date): Promise<void> {
    await tx.run(noteSuccess, organizationId, version, at);
  }

  async noteFailure(tx: Transaction, { organizationId, version }: RecordingBucketEntity, at: Date, error: CopyError): Promise<void> {
    await tx.run(noteFailure, organizationId, version, at, error);
  }

  /** Sealed secrets in the order of their organizations, after `after`. */
  listSealed(after: string, limit: number): Promise<{ organizationId: string; sealedSecret: string }[]> {
    return this.database.run(listSealed, after, limit);
  }

  /** Does nothing if the secret has changed meanwhile. */
  async reseal(organizationId: string, before: string, after: string): Promise<void> {
    await this.database.run(reseal, organizationId, before, after);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }
}
