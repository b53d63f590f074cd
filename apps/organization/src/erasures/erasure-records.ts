import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import type { ErasureSubject } from '@classroom/contracts';
import { CONFIG, SecretCipher } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { OrganizationConfig } from '../config.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';

const PURPOSE = 'classroom/organization/erasure-records/v1';
const FOLDER = 'erasures/';

export interface ErasureRecord {
  organizationId: string;
  subject: ErasureSubject;
  /** ISO 8601. */
  requestedAt: string;
  /** Whether all services had erased: then no legal hold was left. */
  isCompleted?: boolean;
}

/**
 * A record of each erasure in the object storage, for when the database is restored from a backup that is older than the erasure. It is encrypted
 * with a key from WEBHOOK_KEY_SECRET, so that the storage alone reveals no subject.
 */
@Injectable()
export class ErasureRecords {
  private readonly cipher: SecretCipher;

  constructor(
    @Inject(CONFIG) { WEBHOOK_KEY_SECRET: secrets }: Pick<OrganizationConfig, 'WEBHOOK_KEY_SECRET'>,
    private readonly storage: ObjectStorage,
  ) {
    this.cipher = new SecretCipher(PURPOSE, secrets);
  }

  /** Idempotent. @throws AppError SERVICE_UNAVAILABLE if the storage is unreachable */
  async write({ erasureId, organizationId, requestedAt }: ErasureEntity, subject: ErasureSubject, isCompleted: boolean): Promise<void> {
    const record: ErasureRecord = { organizationId, subject, requestedAt: requestedAt.toISOString(), isCompleted };
    const sealed = this.cipher.seal(erasureId, JSON.stringify(record));
    await this.storage.upload(FOLDER + erasureId, Readable.from([sealed], { objectMode: false }), { contentType: 'text/plain' });
  }

  /** @returns the ids of all records, and when each was last written */
  async *list(): AsyncGenerator<{ erasureId: string; writtenAt: Date }> {
    for await (const { key, lastModified } of this.storage.list(FOLDER)) {
      yield { erasureId: key.slice(FOLDER.length), writtenAt: lastModified };
    }
  }

  /** @throws Error if no key of WEBHOOK_KEY_SECRET opens it; AppError NOT_FOUND */
  async read(erasureId: string): Promise<ErasureRecord> {
    const sealed = await text(await this.storage.read(FOLDER + erasureId));
    return JSON.parse(this.cipher.open(erasureId, sealed)) as ErasureRecord;
  }

  delete(erasureId: string): Promise<void> {
    return this.storage.delete(FOLDER + erasureId);
  }
}
