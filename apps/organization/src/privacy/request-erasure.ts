import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  cancelErasure,
  cancelOrganizationErasure,
  closingRpc,
  createErasure,
  deleteOrganization,
  getErasure,
  getOrganizationErasure,
  type RpcInput,
} from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import type { OrganizationConfig } from '../config.js';
import { OrganizationChanges } from '../organizations/organization-changes.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { ErasuresRepository, newErasure } from './erasures.repository.js';
import { ReceiptSigner, toErasure } from './to-erasure.js';

const HOUR_MS = 3_600_000;
/** Longer than a gateway takes to learn that an organization may not read any more, and than any call that it accepted before. */
export const CLOSING_MS = 60_000;

/**
 * Requests the erasure of an organization, and cancels it. From the request on, the gateways let the organization only read, and from the beginning of the
 * erasure on only what shows the erasure.
 */
@Injectable()
export class CloseOrganization {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<OrganizationConfig, 'ERASURE_COOL_DOWN_HOURS'>,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly erasures: ErasuresRepository,
    private readonly changes: OrganizationChanges,
    private readonly rpc: RpcClient,
    private readonly signer: ReceiptSigner,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND, LEGAL_HOLD, SERVICE_UNAVAILABLE (the recording service is unreachable) */
  @Handles(deleteOrganization)
  async delete({ organizationId }: RpcInput<typeof deleteOrganization>) {
    return toErasure(await this.close(organizationId), this.signer);
  }

  /** @throws AppError ERASURE_NOT_FOUND */
  @Handles(getOrganizationErasure)
  async getErasure({ organizationId }: RpcInput<typeof getOrganizationErasure>) {
    return toErasure(await this.findOf(organizationId), this.signer);
  }

  /** @throws AppError ERASURE_NOT_FOUND, ERASURE_BEGUN */
  @Handles(cancelOrganizationErasure)
  async cancelOf({ organizationId }: RpcInput<typeof cancelOrganizationErasure>) {
    return this.cancel(await this.findOf(organizationId));
  }

  /** Opens the organization again. Of two calls, one finds the request. @throws AppError ERASURE_NOT_FOUND, ERASURE_BEGUN */
  async cancel({ erasureId, organizationId, isOfOrganization }: ErasureEntity) {
    if (!isOfOrganization) throw new AppError('ERASURE_BEGUN');
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const row = await this.organizations.findForUpdate(tx, organizationId);
      if (!(await this.erasures.exists(tx, erasureId))) throw new AppError('ERASURE_NOT_FOUND');
      if (!row || !(await this.erasures.cancel(tx, erasureId, now))) throw new AppError('ERASURE_BEGUN');
      await this.changes.save(tx, row, { closedAt: null, erasureBeginsAt: null });
    });
    return { erasureId, cancelledAt: now.toISOString() };
  }

  private async findOf(organizationId: string): Promise<ErasureEntity> {
    const row = await this.erasures.findOfOrganization(organizationId);
    if (!row) throw new AppError('ERASURE_NOT_FOUND');
    return row;
  }

  /** Idempotent. @throws as `delete` does */
  async close(organizationId: string): Promise<ErasureEntity> {
    const { holds } = await this.rpc.call(closingRpc.countHolds, { organizationId });
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.findForUpdate(tx, organizationId);
      const present = await this.erasures.findOfOrganization(organizationId, tx);
      if (present) return present;
      if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
      if (holds > 0) throw new AppError('LEGAL_HOLD');
      const now = this.clock.now();
      const beginsAt = new Date(now.getTime() + this.config.ERASURE_COOL_DOWN_HOURS * HOUR_MS);
      const erasure = newErasure({ organizationId, subject: { organization: true }, requestedAt: now, beginsAt, dueAt: null });
      await this.closeIn(tx, row, erasure);
      return erasure;
    });
  }

  /** Closes the organization, which is locked, and stores the request. */
  async closeIn(tx: Transaction, row: OrganizationEntity, erasure: ErasureEntity): Promise<void> {
    await this.changes.save(tx, row, { closedAt: this.clock.now(), erasureBeginsAt: erasure.beginsAt });
    await this.erasures.insert(tx, erasure);
  }
}

@Injectable()
export class RequestErasure {
  constructor(
    private readonly database: Database,
    private readonly closing: CloseOrganization,
    private readonly erasures: ErasuresRepository,
    private readonly audit: AuditChanges,
    private readonly signer: ReceiptSigner,
    private readonly clock: Clock,
  ) {}

  /** Stores the request; `RunErasures` does the work. @throws AppError FORBIDDEN, LEGAL_HOLD, SERVICE_UNAVAILABLE */
  @Handles(createErasure)
  async create({ organizationId, subject, isByKey }: RpcInput<typeof createErasure>) {
    if ('organization' in subject) {
      requireNoKey(isByKey);
      return toErasure(await this.closing.close(organizationId), this.signer);
    }
    const row = newErasure({ organizationId, subject, requestedAt: this.clock.now(), dueAt: this.clock.wall() });
    await this.database.transaction(async (tx) => {
      await this.erasures.insert(tx, row);
      // The log outlives the subject, so it names only the kind of it.
      const after = { subject: Object.keys(subject)[0] };
      await this.audit.record(tx, { organizationId, kind: 'erasure', id: row.erasureId, before: null, after });
    });
    return toErasure(row, this.signer);
  }

  /** @throws AppError FORBIDDEN, ERASURE_NOT_FOUND, ERASURE_BEGUN */
  @Handles(cancelErasure)
  async cancel({ organizationId, erasureId, isByKey }: RpcInput<typeof cancelErasure>) {
    requireNoKey(isByKey);
    return this.closing.cancel(await this.erasures.find(organizationId, erasureId));
  }

  /** @throws AppError ERASURE_NOT_FOUND */
  @Handles(getErasure)
  async get({ organizationId, erasureId }: RpcInput<typeof getErasure>) {
    return toErasure(await this.erasures.find(organizationId, erasureId), this.signer);
  }
}

/** A key answers requests of people; no leaked key may end a school. */
function requireNoKey(isByKey: boolean): void {
  if (isByKey) throw new AppError('FORBIDDEN', { message: 'An API key can’t erase an organization: use VF-ORG-ID' });
}
