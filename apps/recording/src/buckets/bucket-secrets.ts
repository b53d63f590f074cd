import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { CONFIG, InBackground, logger, Loop, type SecretCipher } from '@classroom/platform';
import type { RecordingConfig } from '../config.js';
import { bucketCipher } from './bucket-cipher.js';
import { BucketsRepository } from './buckets.repository.js';

/** Milliseconds between runs. It repeats because, during a rollout, processes of the previous release still seal with the former secret. */
const INTERVAL_MS = 600_000;
const PAGE = 500;

/**
 * Seals and opens the secrets of buckets' keys. While RECORDING_KEY_SECRET is rotated, it seals every stored secret with the first value again;
 * afterwards the others may be removed.
 */
@Injectable()
export class BucketSecrets {
  @InBackground() private readonly loop: Loop | undefined;
  private readonly cipher: SecretCipher | undefined;

  constructor(
    @Inject(CONFIG) { RECORDING_KEY_SECRET }: Pick<RecordingConfig, 'RECORDING_KEY_SECRET'>,
    private readonly buckets: BucketsRepository,
  ) {
    if (!RECORDING_KEY_SECRET) return;
    this.cipher = bucketCipher(RECORDING_KEY_SECRET);
    if (RECORDING_KEY_SECRET.length > 1) this.loop = new Loop('bucket-reseal', INTERVAL_MS, () => this.resealAll());
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

  async resealAll(): Promise<void> {
    const counts = { asItIs: 0, sealed: 0, unreadable: 0 };
    for (let after = ''; ;) {
      const page = await this.buckets.listSealed(after, PAGE);
      for (const row of page) counts[await this.reseal(row)] += 1;
      const last = page.at(-1);
      if (!last) break;
      after = last.organizationId;
    }
    logger.info(counts, 'keys of recording buckets resealed with the first RECORDING_KEY_SECRET');
  }

  private async reseal(row: { organizationId: string; sealedSecret: string }): Promise<'asItIs' | 'sealed' | 'unreadable'> {
    let again: string | undefined;
    try {
      again = this.cipher?.reseal(row.organizationId, row.sealedSecret);
    } catch {
      return 'unreadable';
    }
    if (again === undefined) return 'asItIs';
    await this.buckets.reseal(row.organizationId, row.sealedSecret, again);
    return 'sealed';
  }
}
