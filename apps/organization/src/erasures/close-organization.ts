import { Injectable } from '@nestjs/common';
import { AppError, closingRpc, deleteOrganization, getOrganizationErasure, organizationUpdated, type RpcInput } from '@classroom/contracts';
import { fact, Handles, Outbox, RpcClient } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import { timeOfChange } from '../organizations/update-organization.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { toOrganization } from '../organizations/to-organization.js';
import type { ErasureEntity } from '../schema/erasure.entity.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { ErasuresRepository, newErasure } from './erasures.repository.js';
import { ReceiptSigner } from './receipt-signer.js';
import { toErasure } from './to-erasure.js';

/** Longer than a gateway takes to learn that an organization is closed, and than any call that it accepted before. */
export const CLOSING_MS = 60_000;

/** Requests the erasure of an organization. From then on, the gateways let it call only what shows that erasure. */
@Injectable()
export class CloseOrganization {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly erasures: ErasuresRepository,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
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
    const row = await this.erasures.findOfOrganization(organizationId);
    if (!row) throw new AppError('ERASURE_NOT_FOUND');
    return toErasure(row, this.signer);
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
      const erasure = newErasure({ organizationId, subject: { organization: true }, requestedAt: now, dueAt: this.clock.wall() });
      await this.closeIn(tx, row, erasure);
      return erasure;
    });
  }

  /** Closes the organization, which is locked, and stores the request. */
  async closeIn(tx: Transaction, row: OrganizationEntity, erasure: ErasureEntity): Promise<void> {
    const { organizationId } = row;
    const now = this.clock.now();
    Object.assign(row, { closedAt: now, updatedAt: timeOfChange(row.updatedAt, now) });
    await this.organizations.save(tx, row);
    const [before, after] = [{ closedAt: null }, { closedAt: now.toISOString() }];
    await this.audit.record(tx, { organizationId, kind: 'organization', id: organizationId, before, after });
    await this.outbox.add(tx, fact(organizationUpdated, organizationId, toOrganization(row)));
    await this.erasures.insert(tx, erasure);
  }
}
