import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { CONFIG, InBackground, Resealing, SecretCipher } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { BucketsRepository } from './buckets.repository.js';

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
