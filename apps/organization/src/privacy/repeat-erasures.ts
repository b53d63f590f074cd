import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { closingRpc, type ErasureSubject } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, InBackground, logger, Loop, SecretCipher } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { OrganizationConfig } from '../config.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';
import { ErasuresRepository, newErasure } from './erasures.repository.js';
import { CloseOrganization, CLOSING_MS } from './request-erasure.js';

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

const INTERVAL_MS = 600_000;
const BATCH = 500;
const DAY_MS = 86_400_000;

/**
 * Repeats the erasures that are recorded in the object storage and that the database does not know: it was restored from an older backup. Deletes
 * records that are older than every backup.
 */
@Injectable()
export class RepeatErasures {
  @InBackground() private readonly loop = new Loop('repeated-erasures', INTERVAL_MS, () => this.run());

  constructor(
    @Inject(CONFIG) private readonly config: Pick<OrganizationConfig, 'BACKUP_DAYS'>,
    private readonly database: Database,
    private readonly records: ErasureRecords,
    private readonly erasures: ErasuresRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly closing: CloseOrganization,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  private async run(): Promise<void> {
    const oldest = this.clock.now().getTime() - this.config.BACKUP_DAYS * DAY_MS;
    let batch: string[] = [];
    for await (const { erasureId, writtenAt } of this.records.list()) {
      if (writtenAt.getTime() < oldest) await this.records.delete(erasureId);
      else batch.push(erasureId);
      if (batch.length === BATCH) {
        await this.repeatUnknown(batch);
        batch = [];
      }
    }
    await this.repeatUnknown(batch);
  }

  private async repeatUnknown(erasureIds: string[]): Promise<void> {
    for (const erasureId of await this.erasures.unknownOf(erasureIds)) {
      await this.repeat(erasureId).catch((error: unknown) =>
        logger.error({ err: error, erasureId }, 'an erasure from before the restore cannot be repeated; will retry'),
      );
    }
  }

  private async repeat(erasureId: string): Promise<void> {
    const { organizationId, subject, requestedAt, isCompleted } = await this.records.read(erasureId);
    const isOfOrganization = 'organization' in subject;
    // A hold that was set before the backup and ended after it would stop the erasure, and its organization no longer exists.
    if (isOfOrganization && isCompleted) await this.rpc.call(closingRpc.endHolds, { organizationId });
    // Gateways learn only now that the organization is closed.
    const dueAt = new Date(this.clock.wall().getTime() + (isOfOrganization ? CLOSING_MS : 0));
    const beginsAt = isOfOrganization ? this.clock.now() : null;
    const isRepeated = await this.database.transaction(async (tx) => {
      const organization = await this.organizations.findForUpdate(tx, organizationId);
      // The backup is older than the organization, or another process was faster.
      if (!organization || (await this.erasures.exists(tx, erasureId))) return false;
      const row = { ...newErasure({ organizationId, subject, requestedAt: new Date(requestedAt), beginsAt, dueAt }), erasureId };
      if (isOfOrganization) await this.closing.closeIn(tx, organization, row);
      else await this.erasures.insert(tx, row);
      return true;
    });
    if (isRepeated) logger.warn({ erasureId, organizationId }, 'an erasure is repeated: the database is from a backup that is older');
  }
}
